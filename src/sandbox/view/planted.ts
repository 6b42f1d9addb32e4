import { basename, join } from 'node:path';

import { isConfigurationName } from './configuration-names.ts';
import { nameUndecodable, setAside } from './rename-inside.ts';
import { searchGrant, type GrantSearch, type WriteGrant } from './write-grant.ts';

const maxNotes = 50;
const maxUnchecked = 5;
/** Directories in directories of such names. */
const maxRounds = 8;

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
    const found = await searchNamed(grant, writable, planted.strays);
    if (found === undefined || found.undecodable.length > 0) planted.unchecked.push(grant.path);
    for (const { kind, path, identity } of createdSince(grant, found)) {
      try {
        planted[kind].push(setAside(grant.path, path, identity));
      } catch {
        planted.unchecked.push(path);
      }
    }
  }
  return planted;
}

/** Searches a grant after names that are not UTF-8, which have no path here, were changed; what they held is searched as well. */
async function searchNamed(
  grant: WriteGrant,
  writable: readonly string[],
  renamed: string[],
): Promise<GrantSearch | undefined> {
  for (let rounds = 0; ; rounds += 1) {
    const found = await searchGrant(grant.path, writable);
    if (found === undefined || found.undecodable.length === 0 || rounds === maxRounds) return found;
    try {
      for (const directory of found.undecodable) renamed.push(...nameUndecodable(grant.path, directory));
    } catch {
      return found;
    }
  }
}

/** Words for the outcome, bounded: a handler can leave thousands. */
export function plantedNotes({ setAside: configuration, strays }: Planted): string[] {
  return [
    ...notesOf('configuration that the handler created was renamed to', configuration),
    ...notesOf(
      'a pipe, a link out of its write paths or an unreadable name that the handler created was renamed to',
      strays,
    ),
  ];
}

/** Why an outcome cannot count, in words; `undefined` when everything was looked at. */
export function uncheckedDetail({ unchecked }: Planted): string | undefined {
  if (unchecked.length === 0) return undefined;
  const more = unchecked.length > maxUnchecked ? ` and ${unchecked.length - maxUnchecked} more` : '';
  const paths = unchecked.slice(0, maxUnchecked).join(', ');
  return `${paths}${more} could not be searched for agent or hook configuration that the handler created`;
}

function notesOf(words: string, paths: readonly string[]): string[] {
  const notes = paths.slice(0, maxNotes).map((path) => `${words} ${path}`);
  return paths.length > maxNotes ? [...notes, `${words} …: ${paths.length - maxNotes} more`] : notes;
}

interface Created {
  readonly kind: 'setAside' | 'strays';
  readonly path: string;
  readonly identity?: string;
}

/** What is to be renamed. */
function createdSince(before: WriteGrant, now: GrantSearch | undefined): Created[] {
  const created = (kind: 'strays' | 'configuration') =>
    [...(now?.[kind] ?? [])].filter(([path, identity]) => before[kind].get(path) !== identity);
  return [
    // Strays first: a directory above one may get another name below.
    ...created('strays').map(([path]): Created => ({ kind: 'strays', path })),
    ...created('configuration').map(([path, identity]): Created =>
      isConfigurationName(basename(path))
        ? { kind: 'setAside', path, identity }
        : // A directory is a repository by its `HEAD`, whatever its own name.
          { kind: 'setAside', path: join(path, 'HEAD') },
    ),
  ];
}
