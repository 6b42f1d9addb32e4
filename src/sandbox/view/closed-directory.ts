import { readdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { GrantedPath } from './granted-path.ts';
import { isInside } from './paths.ts';

/** An entry of a closed directory, as it is shown. */
export interface ClosedEntry {
  readonly path: string;
  readonly kind: 'writable' | 'read-only' | 'link';
  /** Of a symbolic link. */
  readonly linkTo?: string;
}

/**
 * A directory that is shown entry by entry, so that the directory itself is the sandbox's own: nothing can be created, renamed
 * or removed in it from inside, and what is mounted in it stays at its path whatever happens to the real directory. A mount in
 * a real directory would go where its mount point is renamed to, and vanish when another file is renamed over it.
 */
export interface ClosedDirectory {
  readonly path: string;
  readonly entries: readonly ClosedEntry[];
}

/** Looks into a directory. One that is gone by now, or an entry that is, is shown empty or not at all. */
export async function closedDirectory(path: string, isWritable: (child: string) => boolean): Promise<ClosedDirectory> {
  const entries: ClosedEntry[] = [];
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const child = join(path, entry.name);
    if (entry.isSymbolicLink()) {
      const linkTo = await readlink(child).catch(() => undefined);
      if (linkTo !== undefined) entries.push({ path: child, kind: 'link', linkTo });
    } else if (entry.isFile() || entry.isDirectory()) {
      // Sockets, pipes and devices are left out.
      entries.push({ path: child, kind: isWritable(child) ? 'writable' : 'read-only' });
    }
  }
  return { path, entries };
}

/**
 * The directories that lead to pinned files, by the path of the grant that shows each: the innermost one.
 * @param targets real paths of pinned files
 */
export function leadingDirectories(
  grants: readonly Pick<GrantedPath, 'path'>[],
  targets: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const leading = new Map<string, Set<string>>();
  for (const target of targets) {
    for (let directory = dirname(target); ; directory = dirname(directory)) {
      const holders = grants.filter(({ path }) => isInside(path, directory));
      const [innermost] = holders.toSorted((one, other) => other.path.length - one.path.length);
      if (innermost === undefined) break;
      leading.set(innermost.path, (leading.get(innermost.path) ?? new Set()).add(directory));
      if (directory === '/') break;
    }
  }
  return leading;
}
