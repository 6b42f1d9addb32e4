import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCgroups } from '../../../src/sandbox/cgroup/layout.ts';
import { liveTree } from '../../../src/sandbox/cgroup/live-tree.ts';
import type { Group } from '../../../src/sandbox/cgroup/group.ts';
import type { Capability } from '../../support/capability.ts';

export const plan = findCgroups(liveTree);

const why = plan.notes.join('; ');
export const memory: Capability = { name: `memory cgroup (${why})`, present: plan.memory !== undefined };
export const pids: Capability = { name: `pids cgroup (${why})`, present: plan.pids !== undefined };
export const kill: Capability = { name: `cgroup.kill (${why})`, present: plan.kill !== undefined };

const HANG_MS = 20_000;
const JOIN = 'for file do echo $$ > "$file" || exit 97; done; ';

/** Starts a shell that joins a group and then runs a script. Its output is dropped. */
export function spawnIn(group: Group, script: string): ChildProcess {
  return spawn('/bin/sh', ['-c', JOIN + script, 'sh', ...group.procsFiles], { stdio: 'ignore' });
}

/** Runs a script in a group to its end. */
export async function runIn(group: Group, script: string): Promise<{ code: number | null; signal: string | null }> {
  const child = spawnIn(group, script);
  await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

/** Waits until something is so; a deadline against hangs, not a measurement. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`waited ${HANG_MS} ms in vain until ${what}`);
    await sleep(5);
  }
}
