import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';

/** Entries looked at before a listing is given up. */
const maxEntries = 50_000;

/**
 * The regular files that a pack's `files` globs name, absolute and sorted: what `project: "files"` shows. Symlinks are
 * neither followed nor listed: their target may be anything. Globs are paths: `*` stays within a directory, `**` does not.
 */
export async function listProjectFiles(projectRoot: string, globs: readonly string[]): Promise<readonly string[]> {
  if (globs.length === 0) return [];
  const found = new Set<string>();
  const budget = { left: maxEntries };
  for (const glob of globs) {
    const { base, isGlob } = picomatch.scan(glob);
    if (!isGlob) await addFile(projectRoot, glob, found);
    // No extended globs: their alternatives can make a regular expression that does not come back.
    else await walk(projectRoot, base, picomatch(glob, { dot: true, noextglob: true }), found, budget);
  }
  return [...found].toSorted();
}

async function addFile(projectRoot: string, path: string, found: Set<string>): Promise<void> {
  const file = join(projectRoot, path);
  const entry = await lstat(file).catch(() => undefined);
  if (entry?.isFile() === true) found.add(file);
}

async function walk(
  projectRoot: string,
  directory: string,
  matches: (path: string) => boolean,
  found: Set<string>,
  budget: { left: number },
): Promise<void> {
  const entries = await readdir(join(projectRoot, directory), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    budget.left -= 1;
    if (budget.left < 0) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules')
      await walk(projectRoot, path, matches, found, budget);
    else if (entry.isFile() && matches(path)) found.add(join(projectRoot, path));
  }
}
