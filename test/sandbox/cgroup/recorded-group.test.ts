import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGroup, type Group } from '../../../src/sandbox/cgroup/group.ts';
import { applyLimits } from '../../../src/sandbox/cgroup/group-limits.ts';
import { killDirectories } from '../../../src/sandbox/cgroup/kill.ts';
import { processesUnder, type GroupDirectory } from '../../../src/sandbox/cgroup/directory.ts';

// What is written to and read from the files of a version 2 group with controllers: plain files stand in for a kernel
// that has them, since few test machines do.
const FILES = ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max', 'cgroup.kill', 'cgroup.procs'];

let parent: string;
let directory: GroupDirectory;
let group: Group;
beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), 'hookcell-group-'));
  directory = { path: path.join(parent, 'cell-1'), version: 2, controllers: ['memory', 'pids'] };
  group = createGroup([{ ...directory, path: parent }], 'cell-1');
  for (const file of FILES) writeFileSync(path.join(directory.path, file), '');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const written = (file: string): string => readFileSync(path.join(directory.path, file), 'utf8');

test('version 2 limits memory without swap, ends the whole group together, and limits processes', () => {
  group.setLimits({ memoryBytes: 64 * 1024 * 1024, maxProcesses: 32 });
  expect(FILES.slice(0, 4).map(written)).toEqual(['67108864', '0', '1', '32']);
});

test('a kernel without swap accounting and memory.oom.group still limits memory', () => {
  for (const file of ['memory.swap.max', 'memory.oom.group']) rmSync(path.join(directory.path, file));
  group.setLimits({ memoryBytes: 4096 });
  expect(written('memory.max')).toBe('4096');
  expect(() => written('memory.swap.max')).toThrow(/ENOENT/);
});

test('a limit whose file is missing is refused, never passed over', () => {
  rmSync(path.join(directory.path, 'memory.max'));
  expect(() => group.setLimits({ memoryBytes: 4096 })).toThrow(/cannot write "4096" to .*memory\.max: ENOENT/);
});

test('a controller that does not serve is left alone', () => {
  applyLimits({ ...directory, controllers: [] }, { memoryBytes: 4096, maxProcesses: 1 });
  expect(FILES.map(written).join('')).toBe('');
});

test('reads the counters by their whole key', () => {
  writeFileSync(
    path.join(directory.path, 'memory.events'),
    'low 0\nhigh 0\nmax 41\noom 7\noom_kill 3\noom_group_kill 1\n',
  );
  writeFileSync(path.join(directory.path, 'pids.events'), 'max 5\n');
  expect(group.events()).toEqual({ oomKills: 3, processLimitHits: 5 });
  writeFileSync(path.join(directory.path, 'memory.events'), 'oom_group_kill 1\n');
  writeFileSync(path.join(directory.path, 'pids.events'), '');
  expect(group.events()).toEqual({ oomKills: 0, processLimitHits: 0 });
});

test('lists no process that a signal must never go to', () => {
  // 0 stands for a process of another pid namespace: a signal to it would end this process's own group.
  writeFileSync(path.join(directory.path, 'cgroup.procs'), `0\n1\n${process.pid}\n4194303\n`);
  expect(processesUnder(directory.path)).toEqual([4194303]);
});

test('cgroup.kill is used where it is, and signals only where it is not', async () => {
  const child = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
  await once(child, 'spawn');
  writeFileSync(path.join(directory.path, 'cgroup.procs'), `${child.pid}\n`);
  killDirectories([directory]);
  expect(written('cgroup.kill')).toBe('1');
  expect(child.kill(0)).toBe(true);

  rmSync(path.join(directory.path, 'cgroup.kill'));
  const exit = once(child, 'exit');
  killDirectories([directory]);
  await exit;
  expect(child.signalCode).toBe('SIGKILL');
  expect(written('pids.max')).toBe('0');
});
