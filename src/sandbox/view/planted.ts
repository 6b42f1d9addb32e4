import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { isConfigurationName } from './configuration-names.ts';
import { searchGrant, type GrantSearch, type WriteGrant } from './write-grant.ts';

/** What a run left in its write paths that it must not leave. */
export interface Planted {
  /** Agent or hook configuration that was not there before, under its new, inert name. */
  readonly setAside: readonly string[];
  /** Pipes, and links that lead out of the write paths, that were not there before, under their new names. */
  readonly strays: readonly string[];
  /** Write paths that grew too large to search, or in which something could not be renamed. */
  readonly unchecked: readonly string[];
}

/**
 * Renames what a run created in its write paths so that nothing obeys or follows it: agent and hook configuration, repositories, links that
 * lead out, pipes. To be called when no process of the run lives and before its outcome is returned. Nothing is deleted.
 */
export async function setAsidePlanted(grants: readonly WriteGrant[]): Promise<Planted> {
  const planted = { setAside: new Array<string>(), strays: new Array<string>(), unchecked: new Array<string>() };
  const writable = grants.map(({ path }) => path);
  for (const grant of grants) {
    if (!grant.isDirectory) continue;
    const found = await searchGrant(grant.path, writable);
    if (found === undefined) planted.unchecked.push(grant.path);
    for (const [kind, path] of createdSince(grant, found)) {
      const inert = `${path}.set-aside-${randomBytes(4).toString('hex')}`;
      try {
        await rename(path, inert);
        planted[kind].push(inert);
      } catch {
        planted.unchecked.push(path);
      }
    }
  }
  return planted;
}

/** What is to be renamed. */
function createdSince(before: WriteGrant, now: GrantSearch | undefined): ['setAside' | 'strays', string][] {
  const created = (kind: keyof GrantSearch): string[] =>
    [...(now?.[kind] ?? [])].filter(([path, identity]) => before[kind].get(path) !== identity).map(([path]) => path);
  return [
    // Strays first: a directory above one may get another name below.
    ...created('strays').map((path) => ['strays', path] as ['strays', string]),
    ...created('configuration').map((path) => ['setAside', nameToChange(path)] as ['setAside', string]),
  ];
}

/** A directory is a repository by its `HEAD`, whatever its own name. */
function nameToChange(path: string): string {
  return isConfigurationName(basename(path)) ? path : join(path, 'HEAD');
}
