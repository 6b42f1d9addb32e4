import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createExecutorGroup } from '../../../src/sandbox/cgroup/executor-group.ts';
import { hierarchiesOf } from '../../../src/sandbox/cgroup/hierarchies.ts';
import {
  currentOwner,
  groupName,
  processIsAlive,
  readGroupName,
  type GroupOwner,
} from '../../../src/sandbox/cgroup/owner.ts';
import { sweepGroups } from '../../../src/sandbox/cgroup/sweep.ts';
import { linux, liveTest, type Capability } from '../../support/capability.ts';
import { plan, spawnIn, until } from './live-groups.ts';

const hierarchies = hierarchiesOf(plan);
const cgroups: Capability = { name: `writable cgroup (${plan.notes.join('; ')})`, present: hierarchies.length > 0 };

async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  return '';
}

async function startOwner(): Promise<{ owner: GroupOwner; end: () => Promise<void> }> {
  const child = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { owner: { ...currentOwner(), pid, startTime }, end };
}

liveTest(cgroups, 'takes what a dead owner left, and nothing of a living one', async () => {
  const { owner, end } = await startOwner();
  const theirs = createExecutorGroup(plan, owner);
  const ours = createExecutorGroup(plan, currentOwner());
  const left = theirs.createGroup(1);
  const living = ours.createGroup(1);
  const daemon = spawnIn(left, 'setsid sleep 1000 & sleep 1000');
  const worker = spawnIn(living, 'sleep 1000');
  await until('both run', () => !left.isEmpty() && !living.isEmpty());

  expect(await sweepGroups(plan)).not.toContain(groupName(owner, 0));
  expect(left.isEmpty()).toBe(false);

  await end();
  await sweepGroups(plan);
  // Not by the names it gives: another executor that starts now may have been faster.
  for (const procs of left.procsFiles) expect(statSync(procs, { throwIfNoEntry: false })).toBeUndefined();
  await until('the daemon is gone', () => daemon.exitCode !== null || daemon.signalCode !== null);

  expect(living.isEmpty()).toBe(false);
  expect(worker.signalCode).toBeNull();
  living.kill();
  expect(await ours.remove()).toBe(true);
});

liveTest(cgroups, 'a living process with another start time is another owner', async () => {
  const { owner, end } = await startOwner();
  const earlier = { ...owner, startTime: String(Number(owner.startTime) - 1) };
  const { procsFiles } = createExecutorGroup(plan, earlier).createGroup(1);
  await sweepGroups(plan);
  for (const procs of procsFiles) expect(statSync(procs, { throwIfNoEntry: false })).toBeUndefined();
  await end();
});

liveTest(cgroups, 'leaves groups of other pid namespaces and foreign names alone', async () => {
  const { owner, end } = await startOwner();
  await end();
  const [hierarchy] = hierarchies;
  const names = [
    groupName({ ...owner, pidNamespace: '1' }, 0),
    groupName({ ...owner, pidNamespace: 'unknown' }, 0),
    `hookcell-${owner.pid}`,
  ];
  const directories = names.map((name) => path.join(hierarchy?.path ?? '', name));
  for (const directory of directories) mkdirSync(directory);
  try {
    const swept = await sweepGroups(plan);
    for (const name of names) expect(swept).not.toContain(name);
    for (const directory of directories) expect(statSync(directory).isDirectory()).toBe(true);
  } finally {
    for (const directory of directories) if (statSync(directory, { throwIfNoEntry: false })) rmdirSync(directory);
  }
});

liveTest(linux, 'tells living, dead and mistaken processes apart', async () => {
  const { pid, startTime } = currentOwner();
  expect(processIsAlive(pid, startTime)).toBe(true);
  expect(processIsAlive(pid, `${startTime}0`)).toBe(false);
  const { owner, end } = await startOwner();
  expect(processIsAlive(owner.pid, owner.startTime)).toBe(true);
  await end();
  expect(processIsAlive(owner.pid, owner.startTime)).toBe(false);
});

liveTest(linux, 'a zombie is dead, and a command name with parentheses misleads nobody', async () => {
  // The outer shell has become a sleep, which never waits for its child, before the child ends.
  const outer = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = Number(await firstLine(outer.stdout));
  const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
  await until('the child is a zombie', () => stat().includes(') Z '));
  const startTime =
    stat()
      .slice(stat().lastIndexOf(')') + 2)
      .split(' ')[19] ?? '';
  expect(processIsAlive(pid, startTime)).toBe(false);
  outer.kill('SIGKILL');
  await once(outer, 'exit');

  const node = spawn(
    process.execPath,
    ['-e', 'process.title = ") Z 1 ("; console.log(1); setInterval(() => {}, 1000)'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await firstLine(node.stdout);
  const named = readFileSync(`/proc/${node.pid}/stat`, 'utf8');
  expect(named).toContain(') Z 1 (');
  expect(processIsAlive(node.pid ?? 0, named.slice(named.lastIndexOf(')') + 2).split(' ')[19] ?? '')).toBe(true);
  node.kill('SIGKILL');
  await once(node, 'exit');
});

test('a group name gives back its owner', () => {
  const owner = { pidNamespace: '4026531836', pid: 4211, startTime: '88231' };
  expect(readGroupName(groupName(owner, 3))).toEqual(owner);
  for (const name of ['hookcell-1-2-3', 'hookcell-unknown-1-2-3', 'hookcell-1-2-3-4.scope', 'x-hookcell-1-2-3-4', '']) {
    expect(readGroupName(name)).toBeUndefined();
  }
});
