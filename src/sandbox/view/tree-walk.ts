import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** One directory and what it holds. Symbolic links are entries, never followed. */
export interface Directory {
  readonly path: string;
  readonly name: string;
  readonly entries: readonly Dirent[];
}

export interface WalkBounds {
  readonly maxEntries: number;
  readonly maxDepth: number;
}

/** Large, generated, and without a person's secrets. */
const skipped = new Set(['node_modules', 'bower_components', '.venv', 'venv', '__pycache__', '.tox', '.pnpm-store']);

/**
 * Visits the directories below `root`, nearest first, so that a bound cuts off the deepest.
 * @param visit returns the names of the sub-directories to go into
 * @returns whether everything was seen
 */
export async function walkTree(
  root: string,
  bounds: WalkBounds,
  visit: (directory: Directory) => Iterable<string>,
): Promise<boolean> {
  let level = [root];
  let seen = 0;
  let complete = true;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > bounds.maxDepth) return false;
    const next: string[] = [];
    for (const path of level) {
      const entries = await list(path);
      if (entries === undefined) {
        complete = false;
        continue;
      }
      seen += entries.length;
      if (seen > bounds.maxEntries) return false;
      for (const name of visit({ path, name: basename(path), entries })) next.push(join(path, name));
    }
    level = next;
  }
  return complete;
}

/** Whether a name is not UTF-8 (or holds what stands for that): Node decodes it to another one, under which nothing is found. */
export function isUndecodable({ name }: Pick<Dirent, 'name'>): boolean {
  return name.includes('\ufffd');
}

/** Sub-directories worth a look. */
export function subdirectories(directory: Directory): string[] {
  return directory.entries
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name) && !isUndecodable(entry))
    .map((entry) => entry.name);
}

/** `undefined` for a directory that cannot be listed: one without the read bit still opens what is in it by name. */
async function list(path: string): Promise<Dirent[] | undefined> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return gone ? [] : undefined;
  }
}
