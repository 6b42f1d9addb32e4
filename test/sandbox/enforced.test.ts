import { expect, test } from 'vitest';

import { enforcedBy, readKernel, type EnforcementFacts } from '../../src/sandbox/enforced.ts';

const facts: EnforcementFacts = {
  wall: 'bubblewrap',
  controls: { memory: 1, pids: 1, kill: true },
  network: 'none',
  isRoot: false,
  kernel: [6, 1],
};

test('a wall with cgroups enforces everything', () => {
  expect(enforcedBy(facts)).toEqual({
    filesystem: 'view',
    network: 'namespace+seccomp',
    processes: 'cgroup-v1',
    memory: 'cgroup-v1',
    kill: 'cgroup.kill',
    syscalls: 'seccomp',
  });
  expect(enforcedBy({ ...facts, controls: { memory: 2, pids: 2, kill: true } })).toMatchObject({
    processes: 'cgroup-v2',
    memory: 'cgroup-v2',
  });
});

test('a network that was granted is not said to be closed', () => {
  expect(enforcedBy({ ...facts, network: 'host' }).network).toBe('host');
});

test.each([
  ['an ordinary user', false, [6, 1], 'rlimit'],
  ['an ordinary user on the first kernel that counts by namespace', false, [5, 14], 'rlimit'],
  ['an ordinary user on an older kernel', false, [5, 13], 'none'],
  ['an ordinary user on a much older kernel', false, [4, 19], 'none'],
  ['root, who is exempt', true, [6, 1], 'none'],
] as const)('without cgroups, processes of %s', (_who, isRoot, kernel, processes) => {
  const enforced = enforcedBy({ ...facts, controls: { kill: false }, isRoot, kernel });
  expect(enforced).toMatchObject({ processes, memory: 'rlimit', kill: 'pid-namespace' });
});

test('without a wall nothing is called a wall', () => {
  expect(enforcedBy({ ...facts, wall: 'none', controls: { kill: false } })).toEqual({
    filesystem: 'none',
    network: 'none',
    processes: 'none',
    memory: 'rlimit',
    kill: 'process-group',
    syscalls: 'none',
  });
});

test.each([
  ['6.18.44-generic', [6, 18]],
  ['5.4', [5, 4]],
  ['6.1-rc3', [6, 1]],
])('the release %s', (release, version) => {
  expect(readKernel(release)).toEqual(version);
});
