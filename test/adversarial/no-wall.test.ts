import { describe, expect } from 'vitest';

import { findCgroups } from '../../src/sandbox/cgroup/layout.ts';
import { liveTree } from '../../src/sandbox/cgroup/live-tree.ts';
import { linux, liveTest, type Capability } from '../support/capability.ts';
import { leavesNothing } from '../support/leaves-nothing.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';

const plan = linux.present ? findCgroups(liveTree) : undefined;
/** Without a wall, nothing but a cgroup reaches a child that left its process group. */
const cgroup: Capability = {
  name: 'cgroup of this user',
  present: (plan?.pids ?? plan?.memory ?? plan?.kill) !== undefined,
};

describe('the backend "none", which a configuration has to name', () => {
  const run = sandboxOfFile({ backend: 'none' });

  liveTest(linux, 'says in every result that it is no wall', async () => {
    const ran = await run('echo plain');
    expect(ran).toMatchObject({ kind: 'ran', out: 'plain\n', exit: { code: 0 } });
    expect(ran.sandbox).toMatchObject({
      backend: 'none',
      enforced: { filesystem: 'none', network: 'none', syscalls: 'none' },
    });
  });

  const hangs = [
    'sleep 1000',
    `trap '' TERM INT HUP; while :; do :; done`,
    'kill -STOP $$; sleep 1000',
    'sleep 900 & sleep 900 & wait',
  ];
  for (const line of hangs) {
    liveTest(linux, `ends its process group at the deadline: ${line}`, async () => {
      const ran = await leavesNothing(run, line, { limits: { timeoutMs: 600 } });
      expect(ran).toMatchObject({ kind: 'ran', killed: 'timeout', exit: { code: null, signal: 'SIGKILL' } });
    });
  }

  liveTest(linux, 'ends a flood at its cap', async () => {
    const ran = await leavesNothing(run, 'yes', { limits: { maxOutputBytes: 1_000 } });
    expect([ran.killed, ran.stdout.length]).toEqual(['output_limit', 1_000]);
  });

  const daemons = [
    `(setsid sleep 1000 &); echo '{}'`,
    `(setsid sh -c 'exec <&- >&- 2>&-; setsid sleep 1000 & sleep 1000' &); sleep 0.05; echo '{}'`,
    `(setsid sh -c 'exec >&- 2>&-; yes > /dev/stdin' &); sleep 0.05; echo '{}'`,
  ];
  for (const line of daemons) {
    liveTest([linux, cgroup], `ends what left the process group, by its cgroup: ${line}`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const ran = await leavesNothing(run, line, { stdin: 'payload' });
        expect(ran).toMatchObject({ kind: 'ran', exit: { code: 0, signal: null }, out: '{}\n' });
      }
    });
  }

  liveTest(linux, 'does not call a missing program a broken machine', async () => {
    expect(await run(['/no/such/program'])).toMatchObject({ kind: 'ran', exit: { code: 127 }, out: '' });
  });
});
