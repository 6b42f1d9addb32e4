import { readFileSync } from 'node:fs';
import type { Slot } from './slot.ts';

const POLL_MS = 1;

/**
 * Waits until no process of an ended invocation lives: bubblewrap's monitor ends with the program, and only then do the processes that
 * the program left behind begin to die. The sandbox's first process is the last to go.
 *
 * @returns `false` when something still lives after `waitMs`.
 */
export async function awaitDeath(slot: Slot, firstProcess: number | undefined, waitMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + waitMs;
  const lives = (): boolean => !slot.group.isEmpty() || (firstProcess !== undefined && isLivingFirst(firstProcess));
  while (lives()) {
    if (performance.now() >= giveUpAt) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
  return true;
}

/** Somebody else who was given the number meanwhile is not the first process of a namespace. */
function isLivingFirst(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return /^State:\s+[^ZX]/mu.test(status) && /^NSpid:.*\s1$/mu.test(status);
  } catch {
    return false;
  }
}
