import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { shellWord, shownPath } from '../protocol/index.ts';

/** Where a project keeps packs. */
const directories = ['.hookcell/hooks', '.polpo/hooks'];

/** The project that an executor is for, and the packs that lie in it. */
export interface Project {
  /** A real path. */
  readonly root: string;
  /** Where the search began; the root or below it. */
  readonly start: string;
  readonly foundBy: 'given' | 'trust record' | 'packs' | 'working directory';
  /** Absolute paths of the packs of the root, in their order. A directory that cannot be listed counts as one. */
  readonly packs: readonly string[];
  /** Packs of directories below the root, on the way to where the search began. */
  readonly strays: readonly string[];
}

/**
 * Finds the project around a directory: the outermost directory above it that has a trust record, else the nearest one
 * that holds packs, else the directory itself. Upwards, so that no hook is dodged by `cd sub`; outermost, so that packs
 * put into a sub-directory do not take the place of accepted ones. No pack is read.
 *
 * @param start a real path
 * @param trustRecordAt whether the operator accepted the packs of a project
 */
export async function discoverProject(start: string, trustRecordAt: (path: string) => boolean): Promise<Project> {
  const levels: { readonly path: string; readonly packs: readonly string[]; readonly trusted: boolean }[] = [];
  for (let path = start; ; path = dirname(path)) {
    levels.push({ path, packs: await packsIn(path), trusted: trustRecordAt(path) });
    if (dirname(path) === path) break;
  }
  const trusted = levels.findLast((level) => level.trusted);
  const nearest = levels.find((level) => level.packs.length > 0);
  const root = trusted ?? nearest;
  if (root === undefined) return { root: start, start, foundBy: 'working directory', packs: [], strays: [] };
  return {
    root: root.path,
    start,
    foundBy: trusted === undefined ? 'packs' : 'trust record',
    packs: root.packs,
    strays: levels.slice(0, levels.indexOf(root)).flatMap(({ packs }) => packs),
  };
}

/** The project that a pack lies in, by where it lies: in one of the directories where projects keep packs. Pure. */
export function projectOfPack(file: string): string | undefined {
  const home = directories.find((name) => dirname(file).endsWith(`/${name}`));
  return home === undefined ? undefined : resolve(dirname(file), home.replaceAll(/[^/]+/gu, '..'));
}

/** A directory that is there but cannot be listed counts as a find, since it may hold a guard. */
async function packsIn(path: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of directories) {
    const directory = join(path, name);
    try {
      const names = await readdir(directory);
      found.push(
        ...names
          .filter((file) => file.endsWith('.json'))
          .toSorted()
          .map((file) => join(directory, file)),
      );
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') found.push(directory);
    }
  }
  return found;
}

/** Packs of a project that must not run as they are; guards are blocked while there are any. */
export interface Untrusted {
  /** Relative to the project. */
  readonly files: readonly string[];
  /** What is wrong with them, and what to do. */
  readonly message: string;
  /** Whether a pack that was accepted as required is among them: then the kill switch blocks, too. */
  readonly required: boolean;
}

/** Files that a message names. */
const maxNamed = 20;

/** Packs that nobody accepted. */
export function neverAccepted({ root, start, packs, strays }: Project): Untrusted | undefined {
  const found = [...packs, ...strays];
  if (found.length === 0) return undefined;
  const files = found.map((file) => relative(root, file));
  const named = files.slice(0, maxNamed).map(shownPath).join(', ');
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  const places = new Set(found.map((file) => (file.endsWith('.json') ? dirname(file) : file)));
  // Packs that are named run in the caller's place, so that their scripts are found from the root alone.
  const flags = [...places].map((place) => `--packs ${asWord(relative(root, place))}`).join(' ');
  const where = start === root ? '' : ` in ${shownPath(root)} (cd ${asWord(relative(start, root))})`;
  const message = `found ${named}${more} in the project, which nobody accepted; read them, then accept them by hookcell trust, or name them for once${where}: ${flags}`;
  return { files, message, required: false };
}

/** To be typed, where it can be. */
function asWord(path: string): string {
  return shownPath(path) === path ? shellWord(path) : shownPath(path);
}
