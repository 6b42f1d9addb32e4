import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { ExecutorOptions } from '../executor/index.ts';
import type { Pack } from '../protocol/index.ts';
import { badFlag, CliError } from './cli-error.ts';
import { environmentSecrets, grantedEnvironment, hooksAreOff } from './environment.ts';
import type { DispatchFlags } from './flags.ts';
import { given } from './given.ts';
import type { Io } from './io.ts';

const MiB = 1024 * 1024;

/** The operator's word as the executor takes it. This and `environment.ts` are the only readers of the environment. */
export function executorOptions(io: Io, flags: DispatchFlags, pack?: Pack): ExecutorOptions {
  const { packs, agent, profile, reveal, modifyWithSecrets } = flags;
  const { env } = io;
  return {
    ...given({ packs: pack === undefined ? packs?.slice() : [pack], agent, profile }),
    origin: 'flag',
    projectRoot: io.cwd,
    sandbox: sandboxOptions(io, flags),
    grants: given({ reveal: pointers(reveal), modifyWithSecrets: modifyWithSecrets?.slice() }),
    configuration: { systemDirectory: io.systemDirectory, userDirectory: configurationDirectory(env) },
    hostPath: env['PATH'] ?? '',
    hostEnvironment: { ...env },
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
    if (existsSync(absolute)) return absolute;
    // The shell does it for a word of its own, not in quotes and not behind "=".
    const advice = name.startsWith('~/') ? 'A leading "~" is not expanded here: write the whole path' : 'Make it first';
    throw badFlag(flag, `expected an existing path, got ${absolute}. ${advice}`);
  });
}

function pointers(list: readonly string[] | undefined): string[] | undefined {
  return list?.map((pointer) => {
    if (pointer.startsWith('/hook/data/')) return pointer;
    throw badFlag('--reveal', `expected a JSON Pointer such as /hook/data/input/token, got ${pointer}`);
  });
}

/** Where this installation keeps its key and what was accepted. */
export function stateDirectory(env: Io['env']): string {
  return userDirectory(env, 'STATE', path.join('.local', 'state'));
}

/** Where the configuration of this user is. */
export function configurationDirectory(env: Io['env']): string {
  return userDirectory(env, 'CONFIG', '.config');
}

/** The directory of this user that the XDG base directory specification names. */
function userDirectory(env: Io['env'], kind: 'CONFIG' | 'STATE', fallback: string): string {
  const base = env[`XDG_${kind}_HOME`];
  // A relative one is to be ignored, says the specification; it could point into the project.
  const directory = base !== undefined && path.isAbsolute(base) ? base : path.join(homeDirectory(env), fallback);
  return path.join(directory, 'hookcell');
}

/** A relative or empty `HOME` would name a place in the project. */
function homeDirectory(env: Io['env']): string {
  const named = env['HOME'];
  if (named !== undefined && path.isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch {
    const user = `user ${process.getuid?.() ?? ''}`.trimEnd();
    const message = `expected an absolute path, got ${named === undefined ? 'nothing' : 'none'}, and ${user} is not in the user database. Set HOME, or both XDG_CONFIG_HOME and XDG_STATE_HOME`;
    throw new CliError('configuration', `HOME: ${message}`, [{ code: 'no_home', message, file: 'HOME' }]);
  }
}
