import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Executor } from '../executor/index.ts';
import { createExecutor } from '../executor/index.ts';
import type { Finding } from '../protocol/index.ts';
import { HookcellError } from '../protocol/index.ts';
import { findingsOfError, judge } from './judge.ts';
import type { VectorRunOptions } from './options.ts';
import { readOptions } from './options.ts';
import type { PreparedVector } from './prepare-vector.ts';
import { prepareVector } from './prepare-vector.ts';
import type { VectorResult } from './result.ts';
import { vectorText } from './result-text.ts';
import { Sharing } from './sharing.ts';

/** Runs vectors one by one; those that need the same executor share it. Ended by `close` or `await using`. */
export interface VectorRunner {
  /** Resolves whatever hooks and vectors do. */
  run(file: string): Promise<VectorResult>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * @throws {HookcellError} `invalid_options`.
 * @example
 * const runner = createVectorRunner({ hostPath: process.env.PATH });
 * afterAll(() => runner.close());
 * for (const { name, file } of await vectorCases('vectors')) {
 *   test(name, async () => assertVector(await runner.run(file)));
 * }
 */
export function createVectorRunner(options: VectorRunOptions = {}): VectorRunner {
  const setting = readOptions(options);
  const sharing = new Sharing();
  const executors = new Map<string, Promise<Executor>>();
  const close = async (): Promise<void> => {
    const open = await Promise.allSettled(executors.values());
    executors.clear();
    await Promise.all(open.map(async (made) => (made.status === 'fulfilled' ? made.value.close() : undefined)));
  };
  return {
    async run(file) {
      const read = await prepareVector(file, setting);
      if (!read.ok) return invalid(file, read.findings);
      const key = sharing.keyOf(read.prepared);
      const executor = executors.get(key) ?? makeExecutor(read.prepared);
      executors.set(key, executor);
      return runWith(executor, read.prepared, setting);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Runs one vector. @throws {HookcellError} `invalid_options`. */
export async function runVector(file: string, options: VectorRunOptions = {}): Promise<VectorResult> {
  const runner = createVectorRunner(options);
  try {
    return await runner.run(file);
  } finally {
    await runner.close();
  }
}

/**
 * Runs many vectors, side by side within the executor's concurrency; the results come in the order of the files.
 *
 * @throws {HookcellError} `invalid_options`.
 */
export async function runVectors(
  files: readonly string[],
  options: VectorRunOptions = {},
): Promise<readonly VectorResult[]> {
  const setting = readOptions(options);
  const sharing = new Sharing();
  const results = new Map<number, VectorResult>();
  const groups = new Map<string, { readonly index: number; readonly prepared: PreparedVector }[]>();
  for (const [index, file] of files.entries()) {
    const read = await prepareVector(file, setting);
    if (read.ok) {
      const key = sharing.keyOf(read.prepared);
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ index, prepared: read.prepared });
    } else results.set(index, invalid(file, read.findings));
  }
  // Executors are closed as soon as they are through, so that a thousand sets of options do not mean a thousand of them.
  const left = [...groups.values()];
  const work = async (): Promise<void> => {
    for (let group = left.shift(); group !== undefined; group = left.shift()) {
      const [first] = group;
      if (first === undefined) continue;
      const executor = makeExecutor(first.prepared);
      try {
        const runOne = async ({ index, prepared }: (typeof group)[number]): Promise<void> => {
          results.set(index, await runWith(executor, prepared, setting));
        };
        await Promise.all(group.map(runOne));
      } finally {
        await closeQuietly(executor);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return files.map((file, index) => results.get(index) ?? invalid(file, []));
}

/** Thrown by {@link assertVector}; its message is what differs. */
export class VectorFailedError extends Error {
  override readonly name = 'VectorFailedError';
  readonly result: VectorResult;

  constructor(result: VectorResult) {
    super(`${result.file}: ${result.status}\n${vectorText(result)}`);
    this.result = result;
  }
}

/** Returns when the vector passed, or was just updated. @throws {VectorFailedError} */
export function assertVector(result: VectorResult): void {
  if (result.status !== 'passed' && result.status !== 'updated') throw new VectorFailedError(result);
}

async function makeExecutor({ executor }: PreparedVector): Promise<Executor> {
  // A key of this run alone: vectors leave nothing behind in the state directory.
  return createExecutor({ ...executor, installationKey: randomBytes(32) });
}

async function runWith(
  executor: Promise<Executor>,
  prepared: PreparedVector,
  setting: VectorRunOptions,
): Promise<VectorResult> {
  try {
    return await judge(prepared, await executor, setting);
  } catch (error) {
    if (error instanceof HookcellError) return invalid(prepared.file, findingsOfError(error, prepared.file));
    throw error;
  }
}

async function closeQuietly(executor: Promise<Executor>): Promise<void> {
  const made = await executor.catch(() => undefined);
  await made?.close();
}

function invalid(file: string, findings: readonly Finding[]): VectorResult {
  return { file, status: 'invalid', differences: [], findings, durationMs: 0 };
}
