import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The outermost directory on the way from `root` down to `path` that the child cannot enter, as one of another user's or of no
 * execute bit; `undefined` when there is none. Nothing can be mounted below it either: root loses its power over other users' files in the
 * sandbox, although it could search them outside.
 * @param root a directory that is entered anyway
 * @param known answers of earlier calls of one search
 */
export function unenterableAbove(root: string, path: string, known: Map<string, boolean>): string | undefined {
  let outermost: string | undefined;
  for (let step = dirname(path); step !== root && step !== '/'; step = dirname(step)) {
    const enterable = known.get(step) ?? isEnterable(step);
    known.set(step, enterable);
    if (!enterable) outermost = step;
  }
  return outermost;
}

function isEnterable(directory: string): boolean {
  try {
    if (process.geteuid?.() === 0) return isEnterableBy(statSync(directory), process.getgroups?.() ?? []);
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** By owner and mode alone, as for a root without capabilities: its word for itself would always be yes. */
function isEnterableBy(stats: { uid: number; gid: number; mode: number }, groups: readonly number[]): boolean {
  const bit = stats.uid === 0 ? 0o100 : stats.gid === 0 || groups.includes(stats.gid) ? 0o010 : 0o001;
  return (stats.mode & bit) !== 0;
}
