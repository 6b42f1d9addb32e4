import { lstat, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { isSystemPath } from '../program/installation.ts';
import { isConfigurationName } from './configuration-names.ts';
import { isInside } from './paths.ts';
import type { Directory } from './tree-walk.ts';

/** Each costs a few system calls for each step of its way. */
const maxLinks = 5_000;
const maxFollowed = 40;
/** Parts of the ways of all links of one search. */
const maxParts = 200_000;

/** Entries of a directory that could be strays. */
export function candidates({ path, entries }: Directory): { links: string[]; pipes: string[] } {
  const at = (holds: (entry: Directory['entries'][number]) => boolean) =>
    entries.filter((entry) => holds(entry)).map((entry) => join(path, entry.name));
  return {
    links: at((entry) => entry.isSymbolicLink()),
    pipes: at((entry) => entry.isFIFO() || entry.isSocket()),
  };
}

/**
 * What another program would be led astray by: pipes, sockets, and symbolic links that lead out of the write paths, or to
 * configuration in them: whoever writes to such a link writes where the handler may not. Links into the system's programs are none.
 * @returns what each is, by path, so that the same one is known again
 */
export async function strays(
  found: { readonly links: readonly string[]; readonly pipes: readonly string[] },
  writable: readonly string[],
): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const path of found.pipes) {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (stats !== undefined) known.set(path, `${stats.dev}:${stats.ino}`);
  }
  const texts = new Map<string, Promise<string | undefined>>();
  const textOf = (path: string): Promise<string | undefined> => {
    const text = texts.get(path) ?? readlink(path).catch(() => undefined);
    texts.set(path, text);
    return text;
  };
  const budget = { parts: maxParts };
  for (const path of found.links.slice(0, maxLinks)) {
    const end = await destination(path, textOf, budget);
    if (end === undefined || isHarmless(end, writable)) continue;
    known.set(path, `${(await textOf(path)) ?? ''}\0${end}`);
  }
  // Too many to follow: each counts.
  for (const path of found.links.slice(maxLinks)) known.set(path, (await textOf(path)) ?? '');
  return known;
}

function isHarmless(end: string, writable: readonly string[]): boolean {
  if (end === unknown || end.includes('\ufffd')) return false;
  if (isSystemPath(end) || end === '/dev/null' || isInside('/nix/store', end)) return true;
  const holder = writable.find((path) => isInside(path, end));
  return holder !== undefined && !end.slice(holder.length).split('/').some(isConfigurationName);
}

/** Of a link whose way is too long to be followed. */
const unknown = '';

/** Where a path leads, be there something or not; `undefined` for a loop. */
async function destination(
  path: string,
  textOf: (path: string) => Promise<string | undefined>,
  budget: { parts: number },
): Promise<string | undefined> {
  let done = '/';
  const rest = path.split('/').toReversed();
  for (let links = 0; rest.length > 0;) {
    budget.parts -= 1;
    if (budget.parts < 0) return unknown;
    const part = rest.pop() ?? '';
    if (part === '' || part === '.') continue;
    const next = part === '..' ? dirname(done) : join(done, part);
    const text = part === '..' ? undefined : await textOf(next);
    if (text === undefined) {
      done = next;
      continue;
    }
    links += 1;
    if (links > maxFollowed) return undefined;
    if (text.startsWith('/')) done = '/';
    for (const step of text.split('/').toReversed()) rest.push(step);
  }
  return done;
}
