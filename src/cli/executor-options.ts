import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ExecutorOptions } from '../executor/index.ts';
import type { Pack } from '../protocol/index.ts';
import { profileDefaults } from '../protocol/index.ts';
import { badFlag } from './cli-error.ts';
import { environmentSecrets, grantedEnvironment, hooksAreOff } from './environment.ts';
import type { DispatchFlags } from './flags.ts';
import { given } from './given.ts';
import type { Io } from './io.ts';

const MiB = 1024 * 1024;

/** The operator's word as the executor takes it. This and `environment.ts` are the only readers of the environment. */
export function executorOptions(io: Io, flags: DispatchFlags, pack?: Pack): ExecutorOptions {
  const { packs, agent, profile, timeoutMs } = flags;
  const { env } = io;
  // Without packs nothing would be selected from, and an agent's hooks would be silently off.
  if (agent !== undefined && packs === undefined)
    throw badFlag('--agent', 'expected --packs beside it, which it selects from');
  const { totalTimeMs } = profileDefaults[profile ?? 'oss'];
  return {
    ...given({ packs: pack === undefined ? packs?.slice() : [pack], agent, profile }),
    projectRoot: io.cwd,
    sandbox: sandboxOptions(io, flags),
    // A longer limit of one hook is meant, so the event's own must not cut it.
    ...(timeoutMs === undefined ? {} : { limits: { totalTimeMs: Math.max(totalTimeMs, timeoutMs) } }),
    hostPath: env['PATH'] ?? '',
    secrets: environmentSecrets(env),
    stateDirectory: stateDirectory(env),
    killSwitch: hooksAreOff(env),
  };
}

function sandboxOptions(io: Io, flags: DispatchFlags): NonNullable<ExecutorOptions['sandbox']> {
  const { backend, project, network, timeoutMs, memoryMb, maxProcesses, maxOutputBytes } = flags;
  const memoryBytes = memoryMb === undefined ? undefined : memoryMb * MiB;
  return {
    ...given({ backend, project, network }),
    read: existing('--read', flags.read, io.cwd),
    write: existing('--write', flags.write, io.cwd),
    env: grantedEnvironment(flags.env, io.env),
    limits: given({ timeoutMs, memoryBytes, maxProcesses, maxOutputBytes }),
  };
}

function existing(flag: string, paths: readonly string[] = [], cwd: string): string[] {
  return paths.map((name) => {
    const absolute = path.resolve(cwd, name);
    if (!existsSync(absolute)) throw badFlag(flag, `expected an existing path, got ${absolute}. Make it first`);
    return absolute;
  });
}

function stateDirectory(env: Io['env']): string {
  const base = env['XDG_STATE_HOME'];
  // A relative one is to be ignored, says the specification; it could point into the project.
  const state = base !== undefined && path.isAbsolute(base) ? base : path.join(homedir(), '.local', 'state');
  return path.join(state, 'hookcell');
}
