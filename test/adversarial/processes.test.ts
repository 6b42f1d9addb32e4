import { describe, expect } from 'vitest';

import { bubblewrap, linux, liveTest, type Capability } from '../support/capability.ts';
import { leavesNothing, sideBySide } from '../support/leaves-nothing.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';

const wall = [linux, bubblewrap];
const isRoot = process.getuid?.() === 0;
/** Daemons get a moment to come up before the handler ends. */
const COME_UP = 'sleep 0.05';

/** Each leaves processes behind and ends well; `sleep 1000` is longer than the deadline of a test. */
const daemons: Readonly<Record<string, string>> = {
  'holds stdout, in a session of its own': `(setsid sleep 1000 &); echo '{}'`,
  'holds stdout and talks': `(setsid sh -c 'while :; do echo noise >&2; sleep 0.01; done' &); ${COME_UP}; echo '{}'`,
  'forked twice and is silent': `(setsid sh -c 'exec <&- >&- 2>&-; setsid sleep 1000 & sleep 1000' &); ${COME_UP}; echo '{}'`,
  'ignores every signal that it can': `(setsid sh -c 'trap "" HUP INT TERM QUIT PIPE; while :; do sleep 0.1; done' >/dev/null 2>&1 &); ${COME_UP}; echo '{}'`,
  'is stopped': `(setsid sh -c 'exec >/dev/null 2>&1; kill -STOP $$' &); ${COME_UP}; echo '{}'`,
  'comes back whenever it dies': `(setsid sh -c 'exec >/dev/null 2>&1; while :; do setsid sleep 0.001 & wait; done' &); ${COME_UP}; echo '{}'`,
  'writes to the stdin of the dead': `(setsid sh -c 'yes > /dev/stdin' >/dev/null 2>&1 &); ${COME_UP}; echo '{}'`,
};

// The first shell forks before there is a bomb, and lives on.
const bomb = '(f() { f | f & }; f) & exec sleep 1000';
const limitsWithoutCgroups: Capability = {
  name: 'limit on processes: root without cgroups has none',
  present: !isRoot,
};

describe.each([
  ['with cgroups', {}, []],
  ['without cgroups', { cgroups: 'none' as const }, [limitsWithoutCgroups]],
])('%s', (_name, options, limited) => {
  const run = sandboxOfFile(options);

  for (const [what, line] of Object.entries(daemons)) {
    liveTest(wall, `a daemon that ${what} is not waited for and does not live on`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const ran = await leavesNothing(run, line);
        expect(ran).toMatchObject({ kind: 'ran', exit: { code: 0, signal: null }, out: '{}\n' });
        expect(ran.killed).toBeUndefined();
      }
    });
  }

  liveTest(wall, 'a silent daemon is dead the moment the result is there: the monitor ends before it', async () => {
    for (let round = 0; round < 60; round += 1) {
      const line = 'setsid sh -c "exec <&- >&- 2>&-; setsid sleep 1000 & sleep 1000" & sleep 0.02';
      expect((await leavesNothing(run, line)).exit.code).toBe(0);
    }
  });

  liveTest(wall, 'a signal to everybody reaches nobody outside, and nothing that the handler needs', async () => {
    const neighbour = leavesNothing(run, 'sleep 1; echo unharmed');
    expect(await leavesNothing(run, 'sleep 1000 & kill -9 -1; echo alone')).toMatchObject({
      kind: 'ran',
      out: 'alone\n',
    });
    expect(await neighbour).toMatchObject({ exit: { code: 0 }, out: 'unharmed\n' });
  });

  liveTest(wall, 'a handler cannot end, stop or trace the first process of its sandbox', async () => {
    const ran = await leavesNothing(run, 'kill -9 1; kill -STOP 1; kill -TERM 1; echo alive');
    expect(ran).toMatchObject({ kind: 'ran', exit: { code: 0 }, out: 'alive\n' });
  });

  liveTest(wall, 'a handler that kills itself or its group failed, and is not taken for a broken sandbox', async () => {
    for (const line of ["echo '{}'; kill -9 $$", "echo '{}'; kill -9 0", "echo '{}'; kill -SEGV $$"]) {
      const ran = await leavesNothing(run, line);
      expect(ran).toMatchObject({ kind: 'ran', out: '{}\n' });
      expect(ran.exit.code).not.toBe(0);
    }
  });

  liveTest([...wall, ...limited], 'a fork bomb beside twenty well-behaved runs harms none of them', async () => {
    const bombed = leavesNothing(run, bomb, { limits: { timeoutMs: 3_000, maxProcesses: 32 } });
    const good = await sideBySide(20, 5, (index) => leavesNothing(run, `cat; echo ${index}`, { stdin: 'in ' }));
    expect(good.map(({ out }) => out)).toEqual(good.map((_, index) => `in ${index}\n`));
    expect(await bombed).toMatchObject({ kind: 'ran', killed: 'timeout' });
  });

  liveTest([...wall, ...limited], 'two fork bombs at once both end', async () => {
    const bombs = [1, 2].map(() => leavesNothing(run, bomb, { limits: { timeoutMs: 2_000, maxProcesses: 64 } }));
    for (const ran of await Promise.all(bombs)) expect(ran).toMatchObject({ kind: 'ran', killed: 'timeout' });
  });

  liveTest([...wall, ...limited], 'no more processes than the limit', async () => {
    const line = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 1000 & done 2>/dev/null; jobs -p | wc -l';
    const ran = await leavesNothing(run, line, { limits: { maxProcesses: 8 } });
    expect(ran.kind).toBe('ran');
    // dash gives up at the first fork that is refused.
    expect(ran.out === '' || Number(ran.out) <= 8).toBe(true);
    if (ran.sandbox.enforced.processes.startsWith('cgroup')) expect(ran.processLimitHit).toBe(true);
  });
});
