import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { discoverProject, projectOfPack, readPackText } from '../executor/index.ts';
import { readPack, shownPath } from '../protocol/index.ts';
import type { Finding, ResolvedPack } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { programFindings } from './program-findings.ts';
import { findingLine } from './report-findings.ts';

/** Checks every pack and reports all findings; returns the exit code. Runs nothing. */
export async function validate(io: Io, paths: readonly string[], flags: ValidateFlags): Promise<number> {
  const files = paths.length === 0 ? await projectFiles(io.cwd) : packFiles(io.cwd, paths);
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  const packs: ResolvedPack[] = [];
  for (const file of files) {
    const read = readPack(readText(io.cwd, file), file);
    if (!read.ok) {
      findings.push(...read.findings);
      continue;
    }
    warnings.push(...read.warnings);
    findings.push(
      ...duplicateName(read.pack, packs),
      ...programFindings(read.pack, io, projectRootOf(io.cwd, read.pack.file)),
    );
    packs.push(read.pack);
  }
  if (flags.json === true) await write(io.stdout, `${JSON.stringify({ version: 1, files, findings, warnings })}\n`);
  else await print(io, { files, findings, warnings });
  return findings.length > 0 ? exitCodes.findings : exitCodes.ok;
}

interface Report {
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

async function print(io: Io, { files, findings, warnings }: Report): Promise<void> {
  const lines = [
    ...findings.map((finding) => findingLine({ ...finding, file: shownPath(finding.file ?? '') })),
    ...warnings.map((finding) =>
      findingLine({ ...finding, file: shownPath(finding.file ?? ''), message: `warning: ${finding.message}` }),
    ),
  ];
  if (lines.length > 0) await write(io.stdout, `${lines.join('\n')}\n`);
  await tell(
    io,
    `${count(files.length, 'file')}, ${count(findings.length, 'finding')}, ${count(warnings.length, 'warning')}`,
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function packFiles(cwd: string, paths: readonly string[]): string[] {
  return paths.flatMap((place) => {
    const found = statOf(cwd, place);
    if (found === undefined)
      throw unreadable(place, 'expected a pack file or a directory of them, and nothing is there');
    if (!found.isDirectory()) return [place];
    const names = readdirSync(path.resolve(cwd, place)).filter((name) => name.endsWith('.json'));
    if (names.length === 0) {
      const inner = path.join(place, '.hookcell', 'hooks');
      const meant = statOf(cwd, inner)?.isDirectory() === true ? `; its packs are in ${shownPath(inner)}` : '';
      throw unreadable(place, `expected at least one *.json file in this directory${meant}`);
    }
    return names.toSorted().map((name) => path.join(place, name));
  });
}

/** Those of the nearest project, from here upwards, as `list` and `try` find them. */
async function projectFiles(cwd: string): Promise<string[]> {
  const { packs } = await discoverProject(realpathSync(cwd), () => false);
  if (packs.length === 0) {
    const message = `expected packs in ${cwd} or a directory above it; name others as arguments, or begin with hookcell init`;
    throw unreadable('.hookcell/hooks, .polpo/hooks', message);
  }
  return packs.map((file) => path.relative(realpathSync(cwd), file));
}

/** Where the scripts of a pack are looked for: in the project that it lies in, else where packs are named. */
function projectRootOf(cwd: string, file: string): string {
  const own = projectOfPack(path.resolve(cwd, file));
  return own === undefined ? cwd : realpathSync(own);
}

function statOf(cwd: string, place: string) {
  return statSync(path.resolve(cwd, place), { throwIfNoEntry: false });
}

function readText(cwd: string, file: string): string {
  try {
    return readPackText(path.resolve(cwd, file), projectRootOf(cwd, file));
  } catch (error) {
    throw unreadable(file, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unreadable(file: string, message: string): CliError {
  return new CliError('data', `${file}: ${message}`, [{ code: 'unreadable', message, file }]);
}

function duplicateName({ name, file }: ResolvedPack, earlier: readonly ResolvedPack[]): Finding[] {
  const twin = earlier.find((pack) => pack.name === name);
  if (twin === undefined) return [];
  return [
    {
      code: 'duplicate_pack',
      message: `expected every pack name once, got "${name}" again (first in ${twin.file}); rename one`,
      file,
      pointer: '/name',
    },
  ];
}
