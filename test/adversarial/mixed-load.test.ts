import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished } from 'vitest';

import { createSandbox, type RawResult } from '../../src/sandbox/index.ts';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { sideBySide } from '../support/leaves-nothing.ts';
import { requestOf } from '../support/run-in-sandbox.ts';
import { processesWhere, processesWith } from '../support/survivors.ts';

const wall = [linux, bubblewrap];
const TOKEN = `cell-token-${process.pid}-${Date.now()}`;
const MIB = 1024 * 1024;

/** Each with what must be true of its result. */
const hostile: readonly (readonly [string, (result: RawResult) => boolean])[] = [
  ['yes', ({ killed }) => killed === 'output_limit'],
  ['yes >&2', ({ killed }) => killed === 'stderr_limit'],
  ['for i in 1 2 3 4 5 6 7 8 9 10; do setsid sleep 1000 & done; sleep 1000', ({ killed }) => killed === 'timeout'],
  [`trap '' TERM; while :; do sleep 0.1; done`, ({ killed }) => killed === 'timeout'],
  [
    '(setsid sh -c "exec <&- >&- 2>&-; sleep 1000" &); exit 7',
    ({ killed, exit }) => killed === undefined && exit.code === 7,
  ],
  ['(setsid sleep 1000 &); kill -9 $$', ({ killed, exit }) => killed === undefined && exit.code !== 0],
];

describe('five hundred runs, 32 at a time, a tenth of them hostile', () => {
  liveTest(wall, 'all come out right, and nothing grows', async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown): number => unheard.push(error);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    const sandbox = createSandbox({ backend: 'auto' });
    const run = async (line: string, stdin: string): Promise<RawResult> => {
      const limits = {
        timeoutMs: line.includes('sleep 1000') || line.includes('trap') ? 2_000 : 50_000,
        maxOutputBytes: 100_000,
        maxStderrBytes: 100_000,
      };
      return sandbox.run(
        requestOf(['/bin/sh', '-c', line, TOKEN], { limits, stdin, policy: { env: { CELL_TOKEN: TOKEN } } }),
      );
    };
    const batch = async (count: number): Promise<void> => {
      await sideBySide(count, 32, async (index) => {
        const [line, holds] = (index % 10 === 0 ? hostile[(index / 10) % hostile.length] : undefined) ?? [];
        if (line === undefined || holds === undefined) {
          const result = await run(`cat; echo ' end'`, `${index}`);
          expect(Buffer.from(result.stdout).toString('utf8')).toBe(`${index} end\n`);
          expect([result.kind, result.killed, result.exit.code]).toEqual(['ran', undefined, 0]);
          return;
        }
        const result = await run(line, 'x'.repeat(100_000));
        expect([line, result.kind, result.killed, result.exit, holds(result)]).toEqual([
          line,
          'ran',
          result.killed,
          result.exit,
          true,
        ]);
      });
      expect(processesWith(TOKEN)).toEqual([]);
    };

    await batch(64);
    const before = holdings();
    await batch(500);
    const after = holdings();
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 8);
    expect(after.children).toBeLessThanOrEqual(before.children + 1);
    expect(after.memory - before.memory).toBeLessThan(96 * MIB);

    await sandbox.close();
    // The guardian was sent home: it may be on its way.
    while (holdings().children > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unheard).toEqual([]);
  });
});

describe('a machine under load', () => {
  liveTest(wall, 'costs no answer: a hundred and twenty runs beside eight busy ones', async () => {
    const sandbox = createSandbox({ backend: 'auto' });
    const busy = new AbortController();
    onTestFinished(async () => {
      busy.abort();
      await sandbox.close();
    });
    const burners = Array.from({ length: 8 }, () =>
      sandbox.run({ ...requestOf('while :; do :; done', { limits: { timeoutMs: 55_000 } }), signal: busy.signal }),
    );
    const denials = await sideBySide(120, 8, () =>
      sandbox.run(requestOf(`cat; echo deny`, { limits: { timeoutMs: 50_000 }, stdin: 'event ' })),
    );
    for (const { stdout, exit } of denials)
      expect([Buffer.from(stdout).toString('utf8'), exit.code]).toEqual(['event deny\n', 0]);
    busy.abort();
    for (const { killed } of await Promise.all(burners)) expect(killed).toBe('canceled');
  });
});

/** Descriptors, resident memory and living child processes of this process. */
function holdings(): { descriptors: number; memory: number; children: number } {
  const children = processesWhere(({ parent }) => parent === process.pid).length;
  return { descriptors: readdirSync('/proc/self/fd').length, memory: process.memoryUsage().rss, children };
}
