import { writeSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';

import { collectOutput, type Collected } from '../../../src/sandbox/launch/collect-output.ts';
import { drain } from '../../../src/sandbox/launch/drain.ts';
import { closeAll, PipeSource } from '../../../src/sandbox/launch/pipes.ts';
import { linux, liveTest } from '../../support/capability.ts';
import { scratchDirectory } from '../../support/view.ts';

/** A stream whose write end stays open, as a daemon would hold it. */
function held(): { output: Collected; write: (text: string) => void } {
  const { child, readEnd } = new PipeSource(scratchDirectory()).output();
  onTestFinished(() => closeAll([child]));
  const output = collectOutput(readEnd, { maxBytes: 1_000_000, onLimit: () => undefined });
  return { output, write: (text) => void writeSync(child, text) };
}

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

liveTest(linux, 'what was written is read although the host was busy for longer than the drain waits', async () => {
  for (const busyMs of [400, 2_500]) {
    const { output, write } = held();
    const drained = drain([output]);
    write('x'.repeat(60_000));
    beBusy(busyMs);
    await drained;
    expect(output.total).toBe(60_000);
  }
});

liveTest(linux, 'a holder that says nothing is not waited for', async () => {
  const { output, write } = held();
  write('answer');
  await drain([output]);
  expect(Buffer.from(output.bytes()).toString()).toBe('answer');
});

liveTest(linux, 'a holder that never stops is not waited for either', async () => {
  const { output, write } = held();
  const talking = setInterval(() => write('noise'), 20);
  onTestFinished(() => clearInterval(talking));
  await drain([output]);
  expect(output.total).toBeGreaterThan(0);
});
