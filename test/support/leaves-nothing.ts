import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';

import type { RanInside, RunInside, RunOverrides } from './run-in-sandbox.ts';
import { processesWith } from './survivors.ts';

/** Runs a shell line inside and looks in `/proc`, the moment the result is there, for anything of it that still lives. */
export async function leavesNothing(run: RunInside, line: string, overrides: RunOverrides = {}): Promise<RanInside> {
  const token = `cell-token-${randomUUID()}`;
  const ran = await run(['/bin/sh', '-c', line, token], {
    ...overrides,
    policy: { ...overrides.policy, env: { ...overrides.policy?.env, CELL_TOKEN: token } },
  });
  expect(processesWith(token)).toEqual([]);
  return ran;
}

/** Runs `count` jobs, at most `width` side by side. */
export async function sideBySide<T>(count: number, width: number, job: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await job(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}
