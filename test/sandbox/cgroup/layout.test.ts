import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findCgroups, type CgroupPlan } from '../../../src/sandbox/cgroup/layout.ts';
import { recordedTree } from './recorded-tree.ts';

interface Expected {
  readonly layout: CgroupPlan['layout'];
  readonly memory?: string;
  readonly pids?: string;
  readonly kill?: string;
  /** One pattern a note, in order. */
  readonly notes?: readonly RegExp[];
}

const ROOT = '/sys/fs/cgroup';
const both = (parent: string) => ({ memory: parent, pids: parent, kill: parent.slice(2) });

const EXPECTED: Readonly<Record<string, Expected>> = {
  'v2-user-delegated': { layout: 'v2', ...both(`2:${ROOT}/user.slice/user-1000.slice/user@1000.service/app.slice`) },
  'v2-session-not-delegated': {
    layout: 'v2',
    notes: [
      /^memory: .*session-3\.scope; .*systemd-run --user --scope -p Delegate=yes/,
      /^pids: /,
      /^kill: no writable/,
    ],
  },
  'v2-root-session': { layout: 'v2', ...both(`2:${ROOT}/user.slice/user-0.slice`) },
  'v2-root-real-root': { layout: 'v2', ...both(`2:${ROOT}`) },
  'v2-docker-read-only': {
    layout: 'v2',
    notes: [/^memory: \/sys\/fs\/cgroup is mounted read-only; .*private cgroup namespace/, /^pids: /, /^kill: /],
  },
  'v2-docker-private-writable': {
    layout: 'v2',
    kill: ROOT,
    notes: [/^memory: \/sys\/fs\/cgroup holds processes.*\/sys\/fs\/cgroup\/init first/, /^pids: .*holds processes/],
  },
  'v2-docker-private-moved': { layout: 'v2', ...both(`2:${ROOT}`) },
  'v2-outside-namespace': {
    layout: 'v2',
    notes: [/^memory: .*session-9\.scope of this process is not visible/, /^pids: /, /^kill: /],
  },
  'v2-service-delegate-subgroup': { layout: 'v2', ...both(`2:${ROOT}/system.slice/agent.service`) },
  'v2-service-delegate': {
    layout: 'v2',
    kill: `${ROOT}/system.slice/agent.service`,
    notes: [/^memory: .*agent\.service holds processes.*DelegateSubgroup=/, /^pids: /],
  },
  'v2-memory-switched-off': {
    layout: 'v2',
    pids: `2:${ROOT}/user.slice/user-0.slice`,
    kill: `${ROOT}/user.slice/user-0.slice`,
    notes: [/^memory: the controller is not handed down .*cgroup_enable=memory/],
  },
  'hybrid-root': {
    layout: 'hybrid',
    memory: `1:${ROOT}/memory/agents/7fd1`,
    pids: `1:${ROOT}/pids`,
    kill: `${ROOT}/unified`,
  },
  'hybrid-user-old-kernel': {
    layout: 'hybrid',
    notes: [/^memory: .*chown -R/, /^pids: .*chown -R/, /^kill: cgroup\.kill needs kernel 5\.14, this is 5\.4/],
  },
  'v1-user': {
    layout: 'v1',
    notes: [/^memory: .*\/memory\/user\.slice; have root/, /^pids: /, /^kill: no writable cgroup v2/],
  },
  'v1-docker-privileged': {
    layout: 'v1',
    memory: `1:${ROOT}/memory/worker`,
    pids: `1:${ROOT}/pids`,
    notes: [/^kill: /],
  },
  'v1-one-hierarchy': {
    layout: 'v1',
    memory: '1:/run/my groups/work',
    pids: '1:/run/my groups/work',
    notes: [/^kill: /],
  },
  none: { layout: 'none', notes: [/^no cgroup hierarchy is mounted/] },
};

const place = (controller: CgroupPlan['memory']) => controller && `${controller.version}:${controller.parent}`;

test.each(Object.entries(EXPECTED))('finds the groups of %s', (name, expected) => {
  const plan = findCgroups(recordedTree(name));
  expect({ layout: plan.layout, memory: place(plan.memory), pids: place(plan.pids), kill: plan.kill?.parent }).toEqual({
    layout: expected.layout,
    memory: expected.memory,
    pids: expected.pids,
    kill: expected.kill,
  });
  const patterns = expected.notes ?? [];
  expect(plan.notes).toHaveLength(patterns.length);
  for (const [index, pattern] of patterns.entries()) expect(plan.notes[index]).toMatch(pattern);
});

test('every recorded tree has an expectation', () => {
  const fixtures = readdirSync(path.resolve(import.meta.dirname, '../../fixtures/cgroup-trees'));
  expect(fixtures.toSorted()).toEqual(
    Object.keys(EXPECTED)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
});

test('a machine without /proc has no cgroups', () => {
  const empty = { readFile: () => undefined, isDirectory: () => false, canWrite: () => true };
  expect(findCgroups(empty).layout).toBe('none');
});
