import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Parts of `/proc` that the whole machine shares. */
export interface ProcFacts {
  /** Shown read-only. */
  readonly readOnly: readonly string[];
  /** Shown empty to a child of root: only root may read it. */
  readonly hidden: readonly string[];
}

/**
 * What to take from a child. For a child of root the kernel compares the owner of `/proc/sys` and others with the machine's own
 * root, to which every id inside is mapped then, and asks for no capability: writing `/proc/sys/kernel/core_pattern` would run a
 * program outside. A child of an ordinary user could still change limits of its own namespaces and set pressure triggers.
 * @param root `/proc`, or a recorded tree in tests
 */
export function procFacts(isRoot: boolean, root = '/proc'): ProcFacts {
  const readOnly: string[] = [];
  const hidden: string[] = [];
  for (const name of readdirSync(root)) {
    if (/^\d+$/.test(name)) continue;
    const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
    const path = `/proc/${name}`;
    // `self`, `mounts` and `net` are links into the process; `sysvipc` belongs to the IPC namespace.
    if (stats === undefined || stats.isSymbolicLink() || name === 'sysvipc') continue;
    if (stats.isDirectory()) readOnly.push(path);
    else if (isRoot && (stats.mode & 0o004) === 0) hidden.push(path);
    else if ((stats.mode & 0o222) !== 0) readOnly.push(path);
  }
  return { readOnly, hidden };
}
