import { afterAll } from 'vitest';

import {
  createSandbox,
  type Limits,
  type Policy,
  type Program,
  type RawResult,
  type RunRequest,
  type SandboxOptions,
} from '../../src/sandbox/index.ts';
import { policyOf } from './view.ts';

/** A result with its streams as text beside the bytes. */
export interface RanInside extends RawResult {
  readonly out: string;
  readonly err: string;
}

/** What differs from the default policy: no project, no network, no grant. */
export interface RunOverrides {
  readonly policy?: Partial<Policy>;
  readonly limits?: Partial<Limits>;
  readonly program?: Partial<Program>;
  readonly stdin?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly trace?: boolean;
}

export type RunInside = (
  command: string | readonly [string, ...string[]],
  overrides?: RunOverrides,
) => Promise<RanInside>;

/**
 * One real sandbox for the tests of a file, closed after them. A string is a line for `/bin/sh`, an array an argument vector.
 * @example
 * const run = sandboxOfFile();
 * expect((await run('echo hello')).out).toBe('hello\n');
 */
export function sandboxOfFile(options: Partial<SandboxOptions> = {}): RunInside {
  const sandbox = createSandbox({ backend: 'auto', ...options });
  afterAll(() => sandbox.close());
  return async (command, overrides = {}) => withText(await sandbox.run(requestOf(command, overrides)));
}

/** The request of a run, for tests that hold a sandbox of their own. */
export function requestOf(command: string | readonly [string, ...string[]], overrides: RunOverrides = {}): RunRequest {
  const limits = { ...policyOf().limits, timeoutMs: 20_000, ...overrides.limits };
  const policy = policyOf({ ...overrides.policy, limits });
  const argv = typeof command === 'string' ? (['/bin/sh', '-c', command] as const) : command;
  return {
    program: { argv, cwd: policy.projectRoot ?? '/', binds: [], ...overrides.program },
    policy,
    stdin: typeof overrides.stdin === 'string' ? Buffer.from(overrides.stdin) : (overrides.stdin ?? new Uint8Array()),
    ...(overrides.signal === undefined ? {} : { signal: overrides.signal }),
    ...(overrides.trace === undefined ? {} : { trace: overrides.trace }),
  };
}

export function withText(result: RawResult): RanInside {
  return {
    ...result,
    out: Buffer.from(result.stdout).toString('utf8'),
    err: Buffer.from(result.stderr).toString('utf8'),
  };
}
