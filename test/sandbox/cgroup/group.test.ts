import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processesUnder } from '../../../src/sandbox/cgroup/directory.ts';
import { createExecutorGroup, type ExecutorGroup } from '../../../src/sandbox/cgroup/executor-group.ts';
import type { Group } from '../../../src/sandbox/cgroup/group.ts';
import type { CgroupPlan } from '../../../src/sandbox/cgroup/layout.ts';
import { currentOwner } from '../../../src/sandbox/cgroup/owner.ts';
import { liveTest } from '../../support/capability.ts';
import { kill, memory, pids, plan, runIn, spawnIn, until } from './live-groups.ts';

const MIB = 1024 * 1024;
/** Two daemons in sessions of their own, deaf to polite signals, and their parent. */
const DAEMONS =
  "trap '' TERM INT HUP; setsid sleep 1000 & (setsid sh -c 'setsid sleep 1000 & exec sleep 1000' &) ; sleep 1000";
const DAEMON_COUNT = 5;

let executor: ExecutorGroup;
beforeEach(() => {
  executor = createExecutorGroup(plan, currentOwner());
});
afterEach(async () => {
  executor.killAll();
  expect(await executor.remove()).toBe(true);
});

const processes = (group: Group): number => processesUnder(path.dirname(group.procsFiles[0] ?? '')).length;

describe('limits in the kernel', () => {
  liveTest(pids, 'no more processes than the limit, and the refused forks are counted', async () => {
    const group = executor.createGroup(1);
    group.setLimits({ maxProcesses: 8 });
    const child = spawnIn(group, 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 1000 & done; sleep 1000');
    await until('a fork is refused', () => group.events().processLimitHits > 0);
    expect(processes(group)).toBeLessThanOrEqual(8);
    expect(group.events().oomKills).toBe(0);
    group.kill();
    await until('the group is empty', () => group.isEmpty());
    expect(child.pid).toBeGreaterThan(0);
  });

  liveTest(memory, 'no more memory than the limit, and the kill is counted', async () => {
    const group = executor.createGroup(1);
    group.setLimits({ memoryBytes: 48 * MIB });
    await runIn(group, 'head -c 200m /dev/zero | tail | cat');
    expect(group.events()).toEqual({ oomKills: expect.any(Number), processLimitHits: 0 });
    expect(group.events().oomKills).toBeGreaterThan(0);
  });

  liveTest([memory, pids], 'a child within its limits sees no event', async () => {
    const group = executor.createGroup(1);
    group.setLimits({ memoryBytes: 128 * MIB, maxProcesses: 16 });
    expect(await runIn(group, 'head -c 8m /dev/zero | tail | wc -c')).toEqual({ code: 0, signal: null });
    expect(group.events()).toEqual({ oomKills: 0, processLimitHits: 0 });
    expect(group.isEmpty()).toBe(true);
  });

  liveTest(memory, 'a limit can be lowered and raised again', () => {
    const group = executor.createGroup(1);
    const file = plan.memory?.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
    const directory = group.procsFiles
      .map((procs) => path.dirname(procs))
      .find((at) => at.startsWith(plan.memory?.parent ?? '-'));
    for (const mebibytes of [64, 32, 256, 128]) {
      group.setLimits({ memoryBytes: mebibytes * MIB });
      expect(Number(readFileSync(path.join(directory ?? '', file), 'utf8'))).toBe(mebibytes * MIB);
    }
  });

  liveTest(pids, 'a limit that the kernel refuses is an error that names the file', () => {
    const group = executor.createGroup(1);
    expect(() => group.setLimits({ maxProcesses: -5 })).toThrow(/cannot write "-5" to .*pids\.max: EINVAL/);
  });
});

/** Without `cgroup.kill`, so that version 1 machines take the way by signals. */
const { kill: _, ...withoutKill } = plan;

describe.each([
  { name: 'cgroup.kill', needs: kill, use: plan },
  { name: 'the plan without cgroup.kill', needs: pids, use: withoutKill },
])('ending a group with $name', ({ needs, use }) => {
  liveTest(needs, 'ends daemons in their own sessions, and the group can be removed', async () => {
    const own = createExecutorGroup(use, currentOwner());
    const group = own.createGroup(1);
    spawnIn(group, DAEMONS);
    await until('all daemons run', () => processes(group) >= DAEMON_COUNT);
    group.kill();
    expect(await group.remove()).toBe(true);
    // A group that is gone answers quietly.
    group.kill();
    expect(group.isEmpty()).toBe(true);
    expect(group.events()).toEqual({ oomKills: 0, processLimitHits: 0 });
    expect(await group.remove()).toBe(true);
    expect(await own.remove()).toBe(true);
  });

  liveTest([needs, pids], 'ends a fork bomb', async () => {
    const own = createExecutorGroup(use, currentOwner());
    const group = own.createGroup(1);
    group.setLimits({ maxProcesses: 64 });
    spawnIn(group, 'bomb() { bomb | bomb & }; bomb; sleep 1000');
    await until('it hits the limit', () => group.events().processLimitHits > 0);
    group.kill();
    await until('the group is empty', () => group.isEmpty());
    expect(await own.remove()).toBe(true);
  });

  liveTest(needs, 'killAll ends every group of one executor and none of another in this process', async () => {
    const own = createExecutorGroup(use, currentOwner());
    const groups = [own.createGroup(1), own.createGroup(2)];
    for (const group of groups) spawnIn(group, DAEMONS);
    const other = executor.createGroup(1);
    spawnIn(other, 'sleep 1000');
    await until('all run', () => [...groups, other].every((group) => !group.isEmpty()));
    own.killAll();
    expect(await own.remove()).toBe(true);
    expect(other.isEmpty()).toBe(false);
  });
});

liveTest(kill, 'one write to the kill file ends everything, as a guardian process would', async () => {
  const group = executor.createGroup(1);
  const guardian = executor.createGroup(2);
  spawnIn(group, DAEMONS);
  await until('all daemons run', () => processes(group) >= DAEMON_COUNT);
  expect(executor.controls.kill).toBe(true);
  spawnIn({ ...guardian, procsFiles: [] }, `echo 1 > ${executor.killFile}`);
  await until('the group is empty', () => group.isEmpty());
});

liveTest(pids, 'says which controllers really bound its groups', () => {
  expect(executor.controls).toEqual({
    ...(plan.memory && { memory: plan.memory.version }),
    ...(plan.pids && { pids: plan.pids.version }),
    kill: plan.kill !== undefined,
  });
  expect(executor.notes).toEqual([]);
});

test('a group name serves once', () => {
  const group = executor.createGroup(7);
  if (group.procsFiles.length > 0) expect(() => executor.createGroup(7)).toThrow(/cell-7 exists already/);
});

test('without cgroups the groups are empty shells that say so', async () => {
  const none: CgroupPlan = { layout: 'none', notes: [] };
  const shell = createExecutorGroup(none, currentOwner());
  const group = shell.createGroup(1);
  group.setLimits({ memoryBytes: MIB, maxProcesses: 1 });
  group.kill();
  expect(shell.controls).toEqual({ kill: false });
  expect(group.procsFiles).toEqual([]);
  expect(group.events()).toEqual({ oomKills: 0, processLimitHits: 0 });
  expect(await group.remove()).toBe(true);
});

test('a parent that refuses is named, and not said to be enforced', () => {
  const broken: CgroupPlan = { layout: 'v1', pids: { version: 1, parent: '/proc/no-such-group' }, notes: [] };
  const refused = createExecutorGroup(broken, currentOwner());
  expect(refused.controls).toEqual({ kill: false });
  expect(refused.notes[0]).toMatch(/cannot make the group \/proc\/no-such-group\/hookcell-/);
});
