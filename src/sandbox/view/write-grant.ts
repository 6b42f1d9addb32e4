import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { closedDirectory, type ClosedDirectory } from './closed-directory.ts';
import { isConfigurationName } from './configuration-names.ts';
import type { GrantedPath } from './granted-path.ts';
import { isInside } from './paths.ts';
import { viewProblem, type ViewProblem } from './problem.ts';
import { subdirectories, walkTree } from './tree-walk.ts';

/** What a write path means in detail. */
export interface WriteGrant extends GrantedPath {
  /** The project root, what holds configuration, and what leads to a pinned file: entries can be changed, the rest cannot. */
  readonly closed: readonly ClosedDirectory[];
  /** Configuration present before the launch: `path` to `device:inode`. */
  readonly configuration: ReadonlyMap<string, string>;
}

const bounds = { maxEntries: 50_000, maxDepth: 32 };
const maxEntriesOfClosed = 512;

/**
 * Looks into a granted path for what has to stay as it is.
 * @param leading directories in it that lead to pinned files
 */
export async function writeGrant(
  granted: GrantedPath,
  projectRoot: string | undefined,
  leading: Iterable<string> = [],
): Promise<WriteGrant | ViewProblem> {
  if (!granted.isDirectory) return { ...granted, closed: [], configuration: new Map() };
  const found = await findConfiguration(granted.path);
  if (found === undefined) {
    return viewProblem(
      'write_too_large',
      `${granted.path} is too large to look for agent and hook configuration (more than ${bounds.maxEntries} entries)`,
      'grant smaller directories in it',
    );
  }
  const isWritable = (path: string) => ![...between(granted.path, path), path].some((step) => found.has(step));
  const roots = new Set([...[...found.keys()].map((path) => dirname(path)), ...leading]);
  if (granted.path === projectRoot) roots.add(projectRoot);
  const closed: ClosedDirectory[] = [];
  for (const path of [...roots].toSorted()) {
    const directory = await closedDirectory(path, isWritable);
    if (directory.entries.length > maxEntriesOfClosed) {
      return viewProblem(
        'write_too_large',
        `${path} holds more than ${maxEntriesOfClosed} entries, beside agent or hook configuration or what leads to an accepted file`,
        'grant directories in it instead',
      );
    }
    closed.push(directory);
  }
  return { ...granted, closed, configuration: found };
}

/** Configuration below `root`, not looked into; `undefined` when the tree is too large to be sure. */
export async function findConfiguration(root: string): Promise<Map<string, string> | undefined> {
  const paths: string[] = [];
  const complete = await walkTree(root, bounds, (directory) => {
    const names = directory.entries.map((entry) => entry.name).filter((name) => isConfigurationName(name));
    paths.push(...names.map((name) => join(directory.path, name)));
    return subdirectories(directory).filter((name) => !isConfigurationName(name));
  });
  if (!complete) return undefined;
  const found = new Map<string, string>();
  for (const path of paths) {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (stats !== undefined) found.set(path, `${stats.dev}:${stats.ino}`);
  }
  return found;
}

/** Directories from the grant down to `path`, both left out: each has to stay where it is. */
export function between(grant: string, path: string): string[] {
  const steps: string[] = [];
  for (let step = dirname(path); step !== grant && isInside(grant, step); step = dirname(step)) steps.unshift(step);
  return steps;
}
