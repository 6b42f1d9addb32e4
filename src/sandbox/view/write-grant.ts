import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { closedDirectory, type ClosedDirectory } from './closed-directory.ts';
import { isConfigurationName } from './configuration-names.ts';
import { isRepository } from './git-directory.ts';
import type { GrantedPath } from './granted-path.ts';
import { isInside } from './paths.ts';
import { viewProblem, type ViewProblem } from './problem.ts';
import { candidates, strays } from './strays.ts';
import { isUndecodable, subdirectories, walkTree } from './tree-walk.ts';

/** What a write path means in detail. */
export interface WriteGrant extends GrantedPath {
  /** The project root, what holds configuration, and what leads to a pinned file: entries can be changed, the rest cannot. */
  readonly closed: readonly ClosedDirectory[];
  /** Present before the launch. */
  readonly configuration: ReadonlyMap<string, string>;
  readonly strays: ReadonlyMap<string, string>;
}

const bounds = { maxEntries: 50_000, maxDepth: 32 };
const maxEntriesOfClosed = 512;

/**
 * Looks into a granted path for what has to stay as it is.
 * @param writable all write paths
 * @param leading directories in it that lead to pinned files
 */
export async function writeGrant(
  granted: GrantedPath,
  projectRoot: string | undefined,
  writable: readonly string[],
  leading: Iterable<string> = [],
): Promise<WriteGrant | ViewProblem> {
  if (!granted.isDirectory) return { ...granted, closed: [], configuration: new Map(), strays: new Map() };
  const search = await searchGrant(granted.path, writable);
  if (search === undefined) {
    return viewProblem(
      'write_too_large',
      `${granted.path} is too large to look for agent and hook configuration (more than ${bounds.maxEntries} entries)`,
      'grant smaller directories in it',
    );
  }
  const [unnamed] = search.undecodable;
  if (unnamed !== undefined) {
    return viewProblem(
      'write_undecodable',
      `${unnamed} holds a name that is not UTF-8, so that it cannot be searched for agent and hook configuration`,
      'rename what is there, or grant directories without such names',
    );
  }
  const found = search.configuration;
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
  return { ...granted, closed, configuration: search.configuration, strays: search.strays };
}

/** What a write path holds that matters, by path: what each is, so that another one in its place is told apart. */
export interface GrantSearch {
  /** Configuration, not looked into. A repository is listed as a whole, whatever its name. */
  readonly configuration: ReadonlyMap<string, string>;
  /** See `strays`. */
  readonly strays: ReadonlyMap<string, string>;
  /** Directories that hold names which are not UTF-8: nothing below these was looked at. */
  readonly undecodable: readonly string[];
}

/** Searches a write path; `undefined` when it is too large to be sure. */
export async function searchGrant(root: string, writable: readonly string[]): Promise<GrantSearch | undefined> {
  const paths: string[] = [];
  const links: string[] = [];
  const pipes: string[] = [];
  const undecodable: string[] = [];
  const complete = await walkTree(root, bounds, (directory) => {
    if (directory.entries.some((entry) => isUndecodable(entry))) undecodable.push(directory.path);
    if (isRepository(directory)) {
      paths.push(directory.path);
      return [];
    }
    const names = directory.entries.map((entry) => entry.name).filter((name) => isConfigurationName(name));
    paths.push(...names.map((name) => join(directory.path, name)));
    const found = candidates(directory);
    links.push(...found.links);
    pipes.push(...found.pipes);
    return subdirectories(directory).filter((name) => !isConfigurationName(name));
  });
  if (!complete) return undefined;
  const configuration = new Map<string, string>();
  for (const path of paths) {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (stats !== undefined) configuration.set(path, `${stats.dev}:${stats.ino}`);
  }
  const isOther = (path: string) => !configuration.has(path);
  const others = { links: links.filter((path) => isOther(path)), pipes: pipes.filter((path) => isOther(path)) };
  return { configuration, strays: await strays(others, writable), undecodable };
}

/** Directories from the grant down to `path`, both left out: each has to stay where it is. */
export function between(grant: string, path: string): string[] {
  const steps: string[] = [];
  for (let step = dirname(path); step !== grant && isInside(grant, step); step = dirname(step)) steps.unshift(step);
  return steps;
}
