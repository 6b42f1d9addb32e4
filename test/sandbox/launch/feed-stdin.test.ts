import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';

import { feedStdin } from '../../../src/sandbox/launch/feed-stdin.ts';
import { closeAll, PipeSource } from '../../../src/sandbox/launch/pipes.ts';
import { linux, liveTest } from '../../support/capability.ts';
import { scratchDirectory } from '../../support/view.ts';

const large = Buffer.alloc(3_000_000, 'x');

/** Feeds a shell line to its end; gives what it printed and how many bytes it left. */
async function fed(line: string, payload: Uint8Array): Promise<{ out: string; unread: number }> {
  const pipe = new PipeSource(scratchDirectory()).input();
  const child = spawn('/bin/sh', ['-c', line], { stdio: [pipe.child, 'pipe', 'inherit'] });
  closeAll([pipe.child]);
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('latin1')));
  const feeding = feedStdin(pipe, payload);
  await once(child, 'close');
  return { out: out.trim(), unread: await feeding.finish() };
}

liveTest(linux, 'a payload of any size arrives, then end-of-file', async () => {
  expect(await fed('wc -c', large)).toEqual({ out: `${large.length}`, unread: 0 });
  expect(await fed('wc -c', new Uint8Array())).toEqual({ out: '0', unread: 0 });
});

liveTest(linux, 'what nobody takes is counted, whether it fits into the pipe or not', async () => {
  for (const payload of [Buffer.from('short'), large]) {
    expect(await fed('exec <&-; echo closed', payload)).toEqual({ out: 'closed', unread: payload.length });
    expect(await fed('dd bs=2 count=1 2>/dev/null', payload)).toMatchObject({ unread: payload.length - 2 });
  }
});

liveTest(linux, 'whoever opens the pipe by name, late or after its end, is not kept waiting', async () => {
  expect(await fed('sleep 0.2; wc -c < /dev/stdin; cat /dev/stdin', Buffer.from('short'))).toEqual({
    out: '5',
    unread: 0,
  });
});

liveTest(linux, 'a child that fills its own stdin neither holds us up nor changes the count', async () => {
  const line = 'timeout 0.5 yes > /dev/stdin & timeout 0.5 yes > /dev/stdin & sleep 0.1; exec 1>&-';
  for (const payload of [Buffer.from('short'), large]) {
    const { unread } = await fed(line, payload);
    expect(unread).toBeGreaterThanOrEqual(0);
    expect(unread).toBeLessThanOrEqual(payload.length);
  }
});

liveTest(linux, 'no descriptor stays open', async () => {
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 20; round += 1) await fed('exec <&-', large);
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1);
});
