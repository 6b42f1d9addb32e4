import { expect, test } from 'vitest';

import type { SandboxReport } from '../../src/protocol/index.ts';
import { limitRefusal } from '../../src/sandbox/not-run.ts';

const enforced: SandboxReport['enforced'] = {
  filesystem: 'view',
  network: 'none',
  processes: 'rlimit',
  memory: 'rlimit',
  kill: 'pid-namespace',
  syscalls: 'seccomp',
};

test('a limit that was set and holds for each process alone is refused in words of who set it, with what the machine lacks', () => {
  const note = 'cgroup v1: only root can make a group for this user';
  const refusal = limitRefusal({ require: ['memoryBytes'] }, { enforced }, [note]);
  expect(refusal?.detail).toContain(`the limit of memory was set explicitly`);
  expect(refusal?.detail).toContain(note);
  // The note tells what helps: a command that cannot help on this machine must not stand beside it.
  expect(`${refusal?.detail} ${refusal?.remedy}`).not.toMatch(/systemd-run|memoryBytes|--memory-mb/u);
});

test('a limit that is enforced, or was left to its default, is refused to nobody', () => {
  expect(limitRefusal({ require: ['maxProcesses'] }, { enforced }, [])).toBeUndefined();
  expect(limitRefusal({ require: [] }, { enforced: { ...enforced, processes: 'none' } }, [])).toBeUndefined();
  expect(
    limitRefusal({ require: ['memoryBytes'] }, { enforced: { ...enforced, memory: 'cgroup-v2' } }, []),
  ).toBeUndefined();
  expect(
    limitRefusal({ require: ['maxProcesses'] }, { enforced: { ...enforced, processes: 'none' } }, []),
  ).toBeDefined();
});
