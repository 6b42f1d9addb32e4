import { spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';

import { collectOutput, type Collected, type CollectOptions } from '../../../src/sandbox/launch/collect-output.ts';
import { closeAll, PipeSource } from '../../../src/sandbox/launch/pipes.ts';
import { linux, liveTest } from '../../support/capability.ts';
import { scratchDirectory } from '../../support/view.ts';

/** Reads what a shell line prints. */
function printed(line: string, options: Partial<CollectOptions> = {}): { output: Collected; limits: () => number } {
  const { child, readEnd } = new PipeSource(scratchDirectory()).output();
  const shell = spawn('/bin/sh', ['-c', line], { stdio: ['ignore', child, 'ignore'] });
  closeAll([child]);
  let calls = 0;
  const output = collectOutput(readEnd, { maxBytes: 1000, onLimit: () => (calls += 1), ...options });
  onTestFinished(() => {
    output.destroy();
    shell.kill('SIGKILL');
  });
  return { output, limits: () => calls };
}

const text = (output: Collected): string => Buffer.from(output.bytes()).toString('latin1');

liveTest(linux, 'all bytes up to the cap, and the cap itself is within it', async () => {
  const { output, limits } = printed(`printf 'a'; sleep 0.05; head -c 998 /dev/zero; printf 'z'`);
  await output.ended;
  expect([output.total, text(output).length, text(output).at(-1), limits()]).toEqual([1000, 1000, 'z', 0]);
});

liveTest(linux, 'beyond the cap it calls once, counts on and keeps no more', async () => {
  const { output, limits } = printed('head -c 5000000 /dev/zero');
  await output.ended;
  expect([output.total, text(output).length, limits()]).toEqual([5_000_000, 1000, 1]);
});

liveTest(linux, 'the tail, where that is asked for', async () => {
  const { output, limits } = printed(`head -c 500000 /dev/zero; printf 'the end'`, {
    maxBytes: 1_000_000,
    keepBytes: 8,
  });
  await output.ended;
  expect([text(output), limits()]).toEqual(['\0the end', 0]);
});

liveTest(linux, 'a stream that is destroyed has ended, although a writer lives', async () => {
  const { output } = printed('printf x; exec sleep 1000');
  while (output.total === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  output.destroy();
  await output.ended;
  expect(text(output)).toBe('x');
});

liveTest(linux, 'each chunk is handed on', async () => {
  let seen = '';
  const { output } = printed('printf one; sleep 0.05; printf two', { onData: (chunk) => (seen += chunk.toString()) });
  await output.ended;
  expect(seen).toBe('onetwo');
});
