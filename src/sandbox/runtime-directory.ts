import { accessSync, constants, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIsAlive, type GroupOwner } from './cgroup/owner.ts';

const NAME = /^hookcell-(\d+)-(\d+)-(\d+)-\w+$/u;

/**
 * A directory of this process alone (mode 0700) for pipes, the filter and the generated files that are bound into sandboxes.
 * Its name tells the owner, so that a later executor can remove what a killed one left.
 */
export function makeRuntimeDirectory(owner: GroupOwner, base: string = tmpdir()): string {
  return mkdtempSync(join(realpathSync(base), `hookcell-${owner.pidNamespace}-${owner.pid}-${owner.startTime}-`));
}

/**
 * Where pipes are made: a place that no sandbox shows, since for a moment a pipe has a name, and whoever sees it could write a slot's order.
 * Not the runtime directory: that one may lie wherever temporary files do, and it holds programs, which `/run` may not run.
 */
export function pipeBase(fallback: string): string {
  const uid = process.getuid?.();
  const place = uid === 0 ? '/run' : `/run/user/${uid}`;
  try {
    const found = statSync(place);
    accessSync(place, constants.W_OK | constants.X_OK);
    return found.isDirectory() && found.uid === uid ? place : fallback;
  } catch {
    return fallback;
  }
}

/** Removes runtime directories of this user whose owner, process id and start time, is dead. Others' are not touched. */
export function sweepRuntimeDirectories(owner: GroupOwner, base: string = tmpdir()): string[] {
  const removed: string[] = [];
  for (const name of readdirSync(base)) {
    const [, namespace, pid, startTime] = NAME.exec(name) ?? [];
    if (namespace === undefined || pid === undefined || startTime === undefined) continue;
    if (namespace !== owner.pidNamespace || processIsAlive(Number(pid), startTime)) continue;
    const path = join(base, name);
    try {
      if (statSync(path).uid !== process.getuid?.()) continue;
      rmSync(path, { recursive: true, force: true });
      removed.push(path);
    } catch {
      // Somebody else swept it at the same time.
    }
  }
  return removed;
}
