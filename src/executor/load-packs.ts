import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EventDefinition, Finding, Pack, ResolvedPack } from '../protocol/index.ts';
import { HookcellError, readAgent, readPack } from '../protocol/index.ts';

/** A pack that may run. */
export interface LoadedPack {
  readonly pack: ResolvedPack;
  /** SHA-256 of its text, hexadecimal. */
  readonly hash: string;
  /** `caller`: given as an object by the host or the command line, which thereby named its programs. */
  readonly source: 'file' | 'caller';
}

export interface LoadOptions {
  readonly packs: readonly (string | Pack)[];
  readonly agent?: string | undefined;
  readonly projectRoot: string;
  readonly knownEvents: ReadonlyMap<string, EventDefinition>;
}

/** Larger files are not read. */
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Reads packs in the order in which they were given, directories by file name, and keeps what the agent selects.
 *
 * @throws {HookcellError} `invalid_pack` or `invalid_agent`, with the findings of every file.
 */
export async function loadPacks(options: LoadOptions): Promise<readonly LoadedPack[]> {
  const findings: Finding[] = [];
  const packs: LoadedPack[] = [];
  for (const source of options.packs) {
    const texts =
      typeof source === 'string'
        ? await readSource(resolve(options.projectRoot, source), findings)
        : [inlineText(source)];
    for (const { file, text } of texts) {
      const read = readPack(text, file, { knownEvents: options.knownEvents });
      if (!read.ok) {
        findings.push(...read.findings);
        continue;
      }
      const twin = packs.find(({ pack }) => pack.name === read.pack.name);
      if (twin !== undefined) {
        const message = `expected every pack name once, got "${read.pack.name}" again (first in ${twin.pack.file}); rename one`;
        findings.push({ code: 'duplicate_pack', message, file, pointer: '/name' });
      }
      packs.push({ pack: read.pack, hash: hashOf(text), source: typeof source === 'string' ? 'file' : 'caller' });
    }
  }
  throwFindings('invalid_pack', findings);
  return options.agent === undefined ? packs : selectByAgent(packs, resolve(options.projectRoot, options.agent));
}

interface PackText {
  readonly file: string;
  readonly text: string;
}

function inlineText(pack: Pack): PackText {
  return { file: '<options>', text: JSON.stringify(pack) };
}

async function readSource(path: string, findings: Finding[]): Promise<PackText[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ file: path, text: await readText(path) }];
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).toSorted();
    if (names.length === 0)
      findings.push({ code: 'no_packs', message: 'expected at least one *.json file in this directory', file: path });
    return await Promise.all(
      names.map(async (name) => ({ file: join(path, name), text: await readText(join(path, name)) })),
    );
  } catch (error) {
    findings.push({ code: 'unreadable', message: `cannot be read: ${messageOf(error)}`, file: path });
    return [];
  }
}

async function readText(file: string): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error(`${file} is not a regular file`);
  if (found.size > maxFileBytes) throw new Error(`${file} has ${found.size} bytes, expected at most ${maxFileBytes}`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
}

async function selectByAgent(packs: readonly LoadedPack[], file: string): Promise<readonly LoadedPack[]> {
  const text = await readText(file).catch((error: unknown) => {
    const findings = [{ code: 'unreadable', message: `cannot be read: ${messageOf(error)}`, file }];
    throw new HookcellError('invalid_agent', `${file}: ${messageOf(error)}`, { findings, cause: error });
  });
  const read = readAgent(text, file);
  throwFindings('invalid_agent', read.ok ? [] : read.findings);
  const names = read.ok ? read.agent.hooks : [];
  const unknown = names.flatMap((name, index): Finding[] => {
    if (packs.some(({ pack }) => pack.name === name)) return [];
    const known = packs.map(({ pack }) => `"${pack.name}"`).join(', ');
    return [
      {
        code: 'unknown_pack',
        message: `the agent selects "${name}", expected one of ${known || 'no packs at all'}`,
        file,
        pointer: `/hooks/${index}`,
      },
    ];
  });
  throwFindings('invalid_agent', unknown);
  return packs.filter(({ pack }) => names.includes(pack.name));
}

function throwFindings(code: 'invalid_pack' | 'invalid_agent', findings: readonly Finding[]): void {
  const [first] = findings;
  if (first === undefined) return;
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  throw new HookcellError(code, `${first.file ?? ''}${first.pointer ?? ''}: ${first.message}${more}`, { findings });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
