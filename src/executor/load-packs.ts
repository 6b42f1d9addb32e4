import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { EventDefinition, Finding, Pack, ResolvedPack } from '../protocol/index.ts';
import { HookcellError, readPack, shownPath } from '../protocol/index.ts';
import type { Layer } from './plan.ts';
import { readRegular } from './trust/read-pinned.ts';
import { isWithin } from './within.ts';

/** A pack that may run. */
export interface LoadedPack {
  readonly pack: ResolvedPack;
  /** SHA-256 of its text, hexadecimal. */
  readonly hash: string;
  readonly layer: Layer;
  /**
   * Where its relative programs start, and their working directory: the project, or for a pack of the organization the
   * pack's own directory. There, a name must not lead to what the repository put in the project.
   */
  readonly home: string;
  /** Whether its programs may lie outside its home: the operator named them. */
  readonly mayLeaveHome: boolean;
  /** Given as an object by the host or the command line: there is no file to mend. */
  readonly byCaller: boolean;
}

/** The text of a pack, before anything in it is believed. */
export interface PackText {
  /** As findings call it. */
  readonly file: string;
  readonly text: string;
  readonly layer: Layer;
  /** The pack, where the text was read as one already. */
  readonly pack?: ResolvedPack;
  /** Given as an object by the host or the command line, which thereby named its programs. */
  readonly byCaller?: boolean;
}

/** Larger files are not read. */
const maxFileBytes = 4 * 1024 * 1024;

/** Made once: to make one takes longer than to decode a pack. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Texts of packs, and what could not be read. */
export interface PackTexts {
  readonly texts: readonly PackText[];
  readonly findings: readonly Finding[];
}

/** Reads the packs that were named, in that order, directories by file name. */
export async function readPackTexts(sources: readonly (string | Pack)[], projectRoot: string): Promise<PackTexts> {
  const findings: Finding[] = [];
  const texts: PackText[] = [];
  for (const source of sources) {
    if (typeof source === 'string')
      texts.push(...(await readSource(resolve(projectRoot, source), projectRoot, findings)));
    else texts.push({ file: '<options>', text: JSON.stringify(source), layer: 'project', byCaller: true });
  }
  return { texts, findings };
}

/**
 * Reads the texts as packs.
 *
 * @param unreadable findings that are told together with those of the packs
 * @throws {HookcellError} `invalid_pack`, with the findings of every pack.
 */
export function parsePacks(
  texts: readonly PackText[],
  projectRoot: string,
  knownEvents: ReadonlyMap<string, EventDefinition>,
  unreadable: readonly Finding[] = [],
): readonly LoadedPack[] {
  const findings: Finding[] = [...unreadable];
  const packs = new Map<string, LoadedPack>();
  for (const { file, text, pack, layer, byCaller = false } of texts) {
    const read = pack === undefined ? readPack(text, file, { knownEvents }) : { ok: true as const, pack };
    if (!read.ok) {
      findings.push(...read.findings);
      continue;
    }
    const { name } = read.pack;
    const twin = packs.get(name);
    if (twin !== undefined) {
      const message = `expected every pack name once, got "${name}" again (first in ${twin.pack.file}); rename one`;
      findings.push({ code: 'duplicate_pack', message, file, pointer: '/name' });
    }
    packs.set(name, {
      pack: read.pack,
      hash: hash('sha256', text),
      layer,
      home: layer === 'organization' ? dirname(file) : projectRoot,
      mayLeaveHome: layer === 'organization' || byCaller,
      byCaller,
    });
  }
  throwFindings('invalid_pack', findings);
  return [...packs.values()];
}

async function readSource(path: string, projectRoot: string, findings: Finding[]): Promise<PackText[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [readOne(path, projectRoot)];
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).toSorted();
    if (names.length === 0) {
      const inner = join(path, '.hookcell', 'hooks');
      const isThere = await stat(inner).then(
        (found) => found.isDirectory(),
        () => false,
      );
      const meant = isThere ? `; its packs are in ${shownPath(inner)}` : '';
      findings.push({
        code: 'no_packs',
        message: `expected at least one *.json file in this directory${meant}`,
        file: path,
      });
    }
    return names.map((name) => readOne(join(path, name), projectRoot));
  } catch (error) {
    findings.push({ code: 'unreadable', message: `cannot be read: ${messageOf(error)}`, file: path });
    return [];
  }
}

function readOne(file: string, projectRoot: string): PackText {
  return { file, text: readText(file, projectRoot), layer: 'project' };
}

/**
 * The text of a regular file of bounded size. The size is counted while it is read: files of the kernel say 0 and do not
 * end. Pipes are not waited for, also when one takes the file's place meanwhile. A link of the project to a file outside of
 * it is not followed: what is wrong with that file would be told, with its first words.
 *
 * @param file absolute
 */
export function readText(file: string, projectRoot: string): string {
  const real = realpathSync.native(file);
  const places = () => [file, join(realpathSync.native(dirname(file)), basename(file))];
  if (!isWithin(projectRoot, real) && places().some((place) => isWithin(projectRoot, place))) {
    throw new Error(`a symbolic link leads out of the project, to ${real}; name that path, if it is what you mean`);
  }
  const { bytes } = readRegular(real, maxFileBytes);
  return utf8.decode(bytes);
}

/** @throws {HookcellError} when there are findings. */
export function throwFindings(code: 'invalid_pack' | 'invalid_agent', findings: readonly Finding[]): void {
  const [first] = findings;
  if (first === undefined) return;
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  throw new HookcellError(code, `${placeOf(first)}: ${first.message}${more}`, { findings });
}

/** `FILE:LINE:COLUMN (POINTER)`; a pointer glued to a file would read as the path of another file. */
function placeOf({ file, line, column, pointer }: Finding): string {
  const place = [shownPath(file ?? ''), ...(line === undefined ? [] : [line, column ?? 1])].join(':');
  return pointer === undefined || pointer === '' ? place : `${place} (${pointer})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
