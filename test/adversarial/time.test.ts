import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';

import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { leavesNothing, sideBySide } from '../support/leaves-nothing.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';
import { processesWith } from '../support/survivors.ts';

const wall = [linux, bubblewrap];
/** Longer than the deadline of a test: who waits for it fails. */
const FOREVER = 'sleep 1000';

const hangs: Readonly<Record<string, string>> = {
  sleeps: FOREVER,
  'loops, deaf to polite signals': `trap '' TERM INT HUP QUIT; while :; do :; done`,
  'sleeps in short pieces, deaf to TERM': `trap '' TERM; while :; do sleep 0.1; done`,
  'stops itself': `kill -STOP $$; ${FOREVER}`,
  'stops everything that it can reach': `${FOREVER} & kill -STOP -1; kill -STOP $$; ${FOREVER}`,
  'waits for a helper': `sleep 900 & wait`,
  'waits beside a helper that left its process group': `setsid sleep 900 & ${FOREVER}`,
  'waits below a tree of sessions': `setsid sh -c 'trap "" TERM; setsid sleep 900 & (setsid sleep 900 &); sleep 900' & ${FOREVER}`,
  'closes its outputs first': `exec >&- 2>&-; ${FOREVER}`,
  'closes everything first': `exec <&- >&- 2>&-; ${FOREVER}`,
  'drips its answer': `while :; do printf x; sleep 0.02; done`,
  'waits for a writer of a pipe that never comes': `mkfifo /tmp/pipe; cat /tmp/pipe`,
  'holds its own stdin open': `exec 9<>/dev/stdin; cat`,
  'becomes another program that hangs': `exec tail -f /dev/null`,
};

describe.each([
  ['with cgroups', {}],
  ['without cgroups', { cgroups: 'none' as const }],
])('%s', (_name, options) => {
  const run = sandboxOfFile(options);

  for (const [what, line] of Object.entries(hangs)) {
    liveTest(wall, `a handler that ${what} is ended with its whole tree`, async () => {
      const ran = await leavesNothing(run, line, { limits: { timeoutMs: 600 }, stdin: 'payload' });
      expect(ran).toMatchObject({ kind: 'ran', killed: 'timeout', exit: { code: null, signal: 'SIGKILL' } });
    });
  }

  liveTest(
    wall,
    'an answer before the hang is kept for the report and the result is a timeout all the same',
    async () => {
      const ran = await leavesNothing(run, `echo '{}'; ${FOREVER}`, { limits: { timeoutMs: 600 } });
      expect(ran).toMatchObject({ kind: 'ran', killed: 'timeout', out: '{}\n' });
    },
  );

  liveTest(wall, 'the limit holds both ways', async () => {
    const line = 'sleep 1.5; echo done';
    expect(await leavesNothing(run, line, { limits: { timeoutMs: 500 } })).toMatchObject({
      killed: 'timeout',
      out: '',
    });
    const slow = await leavesNothing(run, line, { limits: { timeoutMs: 50_000 } });
    expect(slow).toMatchObject({ exit: { code: 0 }, out: 'done\n' });
    expect(slow.killed).toBeUndefined();
  });

  liveTest(wall, 'the clock runs while a payload is written that nobody reads', async () => {
    const ran = await leavesNothing(run, FOREVER, { limits: { timeoutMs: 600 }, stdin: Buffer.alloc(4 * 1024 * 1024) });
    expect(ran).toMatchObject({ killed: 'timeout', bytes: { stdin: 4_194_304, stdinUnread: 4_194_304 } });
  });

  liveTest(wall, 'the look at /proc sees a run that lives, and a cancel ends it', async () => {
    const token = `cell-token-${randomUUID()}`;
    const canceled = new AbortController();
    const running = run(['/bin/sh', '-c', `setsid ${FOREVER} & ${FOREVER}`, token], {
      policy: { env: { CELL_TOKEN: token } },
      signal: canceled.signal,
    });
    // The monitor, the first process, the shell and two sleepers.
    while (processesWith(token).length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    canceled.abort();
    expect(await running).toMatchObject({ kind: 'ran', killed: 'canceled' });
    expect(processesWith(token)).toEqual([]);
  });

  liveTest(wall, 'a cancel at any moment of the start leaves nothing, 300 times', async () => {
    await sideBySide(300, 3, async (round) => {
      const canceled = new AbortController();
      setTimeout(() => canceled.abort(), round % 16);
      const ran = await leavesNothing(run, `${FOREVER} & ${FOREVER}`, { signal: canceled.signal });
      expect(ran).toMatchObject({ kind: 'ran', killed: 'canceled' });
    });
  });

  liveTest(wall, 'a cancel before the start starts nothing', async () => {
    const ran = await leavesNothing(run, 'echo started', { signal: AbortSignal.abort() });
    expect(ran).toMatchObject({ killed: 'canceled', out: '', bytes: { stdout: 0 } });
  });
});
