// Run as an ordinary user inside delegated groups; prints what it found as JSON. Bundled and started by its test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryControl } from '../../../src/sandbox/cgroup/directory.ts';
import { createExecutorGroup } from '../../../src/sandbox/cgroup/executor-group.ts';
import { findCgroups } from '../../../src/sandbox/cgroup/layout.ts';
import { liveTree } from '../../../src/sandbox/cgroup/live-tree.ts';
import { currentOwner } from '../../../src/sandbox/cgroup/owner.ts';

const plan = findCgroups(liveTree);
const executor = createExecutorGroup(plan, currentOwner());
const group = executor.createGroup(1);
group.setLimits({ memoryBytes: 48 * 1024 * 1024, maxProcesses: 8 });
const script =
  'for file do echo $$ > "$file" || exit 97; done; head -c 200m /dev/zero | tail | cat; for i in 1 2 3 4 5 6 7 8 9; do setsid sleep 1000 & done';
const child = spawn('/bin/sh', ['-c', script, 'sh', ...group.procsFiles], { stdio: 'ignore' });
await once(child, 'exit');
await sleep(10);
const events = group.events();
const populated = !group.isEmpty();
group.kill();
// The user's own write to cgroup.kill, which nobody may read.
const killFileTaken =
  executor.killFile !== undefined && tryControl(path.dirname(executor.killFile), 'cgroup.kill', '1');
const removed = (await group.remove()) && (await executor.remove());
console.log(
  JSON.stringify({
    uid: process.getuid?.(),
    plan,
    controls: executor.controls,
    joined: child.exitCode !== 97,
    events,
    populated,
    killFileTaken,
    removed,
  }),
);
