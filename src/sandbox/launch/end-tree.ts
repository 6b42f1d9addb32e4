import { readFileSync } from 'node:fs';
import type { Slot } from './slot.ts';
import type { StatusChannel } from './status-channel.ts';

/** Longest wait for bubblewrap to name the sandbox's first process before its monitor is killed instead. */
const NAME_WAIT_MS = 1_000;
const POLL_MS = 1;

/**
 * Ends every process of one invocation. Not by a signal to bubblewrap's monitor alone: within its first ~15 ms that leaves
 * the sandbox alive without a parent. `cgroup.kill` ends the whole group at once; else the sandbox's first process goes first,
 * and the kernel ends its process namespace with it. Idempotent.
 */
export async function endTree(slot: Slot, wall: 'bubblewrap' | 'none', channel: StatusChannel): Promise<void> {
  const monitor = slot.process.pid;
  if (monitor === undefined) return;
  if (wall === 'bubblewrap' && !slot.killsAtOnce) await endFirstProcess(slot, monitor, channel);
  slot.group.kill();
  // With a wall, the monitor ends when the first process has: a signal to it is the last resort, for one that never named it.
  if (wall === 'none' || (!slot.killsAtOnce && channel.status.childPid === undefined)) signal(-monitor);
}

/** Waits, bounded, until bubblewrap has named the sandbox's first process, and ends that. */
async function endFirstProcess(slot: Slot, monitor: number, channel: StatusChannel): Promise<void> {
  const giveUpAt = performance.now() + NAME_WAIT_MS;
  while (channel.status.childPid === undefined && slot.process.exitCode === null && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const first = channel.status.childPid;
  // The number may have been given to somebody else once the monitor has reaped it: ask whose child it is.
  if (first !== undefined && parentOf(first) === monitor) signal(first);
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone, which is what was wanted.
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
