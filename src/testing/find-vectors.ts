import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Finding } from '../protocol/index.ts';
import { HookcellError } from '../protocol/index.ts';

/** One vector that was found. */
export interface VectorCase {
  /** The file as found beneath the place that was named. */
  readonly name: string;
  /** The same, absolute. */
  readonly file: string;
}

const ending = '.vector.json';
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const maxDepth = 32;
const maxEntries = 200_000;

/**
 * Finds vectors: files, and directories that are searched for `*.vector.json` (not through symbolic links, and not in
 * `node_modules` or `.git`). Sorted by name; each once.
 *
 * @throws {HookcellError} `invalid_options` when a place is missing or holds no vector: no test is not a passed test.
 * @example
 * for (const { name, file } of await vectorCases('vectors')) {
 *   test(name, async () => assertVector(await runner.run(file)));
 * }
 */
export async function vectorCases(
  places: string | readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<readonly VectorCase[]> {
  const cwd = options.cwd ?? process.cwd();
  const findings: Finding[] = [];
  const found = new Map<string, VectorCase>();
  for (const place of typeof places === 'string' ? [places] : places) {
    const names = namesAt(place, cwd, findings);
    for (const name of names) {
      const file = resolve(cwd, name);
      if (!found.has(file)) found.set(file, { name, file });
    }
  }
  const [first] = findings;
  if (first !== undefined)
    throw new HookcellError('invalid_options', `${first.file ?? ''}: ${first.message}`, { findings });
  return [...found.values()];
}

function namesAt(place: string, cwd: string, findings: Finding[]): readonly string[] {
  const found = statSync(resolve(cwd, place), { throwIfNoEntry: false });
  if (found?.isFile() === true) return [place];
  const names = found?.isDirectory() === true ? search(place, cwd) : [];
  if (names.length === 0) {
    const what = found === undefined ? 'nothing is there' : 'found none';
    const message = `expected a vector or a directory with *${ending} files, and ${what}; hookcell init writes some`;
    findings.push({ code: 'no_vectors', message, file: place });
  }
  return names;
}

function search(place: string, cwd: string): readonly string[] {
  const names: string[] = [];
  let left = maxEntries;
  const visit = (directory: string, depth: number): void => {
    for (const entry of readdirSync(resolve(cwd, directory), { withFileTypes: true })) {
      left -= 1;
      if (left < 0) throw new HookcellError('invalid_options', `${place} has more than ${maxEntries} entries`);
      const name = join(directory, entry.name);
      if (entry.isFile() && entry.name.endsWith(ending)) names.push(name);
      else if (entry.isDirectory() && depth < maxDepth && !skipped.has(entry.name)) visit(name, depth + 1);
    }
  };
  visit(place, 0);
  return names.toSorted();
}
