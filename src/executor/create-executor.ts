import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventDefinition, Finding } from '../protocol/index.ts';
import { HookcellError } from '../protocol/index.ts';
import { createSandbox } from '../sandbox/index.ts';
import { discoverPacks } from './discover.ts';
import { Executor } from './executor.ts';
import { createIdempotency } from './idempotency.ts';
import { readInstallationKey } from './installation-key.ts';
import { loadHooks } from './loaded-hook.ts';
import { loadPacks } from './load-packs.ts';
import { createLog } from './log.ts';
import type { ExecutorOptions, ResolvedOptions } from './options.ts';
import { resolveOptions } from './options.ts';
import { orderHooks } from './plan.ts';
import { createQueue } from './queue.ts';
import { createRateGuard } from './rate-guard.ts';
import { isWithin, type Grant } from './resolve-policy.ts';

/**
 * Reads the packs, prepares their hooks and the sandbox. A missing sandbox does not reject: events are then blocked, with
 * the cause and the remedy in the verdict.
 *
 * @throws {HookcellError} `invalid_options`, `invalid_pack` or `invalid_agent`, with every finding.
 * @example
 * const executor = await createExecutor({ packs: '.hookcell/hooks' });
 * try {
 *   assertAllowed(await executor.dispatch({ event: 'tool:before', data: { tool: 'write', input } }));
 * } finally {
 *   await executor.close();
 * }
 */
export async function createExecutor(options: ExecutorOptions = {}): Promise<Executor> {
  const resolved = resolveOptions(options);
  const projectRoot = existingPath(resolved.projectRoot, '/projectRoot');
  const knownEvents = new Map((resolved.events ?? []).map((event): [string, EventDefinition] => [event.name, event]));
  const packs =
    resolved.packs === undefined
      ? []
      : await loadPacks({ packs: resolved.packs, agent: resolved.agent, projectRoot, knownEvents });
  const hooks = await loadHooks(packs, {
    projectRoot,
    grant: grantOf(resolved, projectRoot),
    reveal: resolved.grants.reveal,
    modifyWithSecrets: resolved.grants.modifyWithSecrets,
    hostPath: resolved.hostPath,
    knownEvents,
  });
  const untrusted = resolved.packs === undefined ? await discoverPacks(projectRoot) : [];
  const installationKey = resolved.installationKey ?? (await readInstallationKey(resolve(resolved.stateDirectory)));
  const sandbox = createSandbox({ backend: resolved.sandbox.backend });
  const log = createLog(resolved.logger);
  if (resolved.killSwitch) log.killSwitch();
  return new Executor({
    hooks: orderHooks(hooks),
    knownEvents,
    untrusted,
    killSwitch: resolved.killSwitch,
    limits: resolved.limits,
    workshop: {
      sandbox,
      queue: createQueue(resolved.concurrency),
      rateGuard: createRateGuard(resolved.limits.maxPerMinute),
      idempotency: createIdempotency(installationKey, projectRoot),
      log,
      secretValues: Object.values(resolved.secrets ?? {}),
      limits: resolved.limits,
    },
  });
}

function grantOf({ sandbox, invocation }: ResolvedOptions, projectRoot: string): Grant {
  const paths = (list: readonly string[], name: string): string[] =>
    list.map((path, index) => grantedPath(resolve(projectRoot, path), projectRoot, `/sandbox/${name}/${index}`));
  return {
    project: sandbox.project,
    readPaths: paths(sandbox.read, 'read'),
    writePaths: paths(sandbox.write, 'write'),
    network: sandbox.network,
    env: sandbox.env,
    limits: invocation,
    explicitLimits: new Set(Object.keys(sandbox.limits)),
  };
}

/** The real path of a grant. A link that the repository holds must not widen what the operator wrote. */
function grantedPath(path: string, projectRoot: string, pointer: string): string {
  const real = existingPath(path, pointer);
  if (isWithin(projectRoot, path) && !isWithin(projectRoot, real)) {
    const message = `expected a path in the project, got ${path}, which a symbolic link leads to ${real}; name that path if it is what you mean`;
    throw badPath('path_escapes', message, pointer);
  }
  return real;
}

function existingPath(path: string, pointer: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw badPath('missing_path', `expected an existing path, got ${path}; make it first`, pointer, cause);
  }
}

function badPath(code: Finding['code'], message: string, pointer: string, cause?: unknown): HookcellError {
  return new HookcellError('invalid_options', `${message} (${pointer})`, {
    findings: [{ code, message, file: 'options', pointer }],
    cause,
  });
}
