import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compileGlob, HookcellError } from '../protocol/index.ts';
import { isCoveredBelow } from '../sandbox/index.ts';

/** Directory entries looked at for one pack before it is refused. */
const maxEntries = 100_000;

/** What globs name, absolute and sorted. */
export interface ProjectEntries {
  readonly files: readonly string[];
  /** Symbolic links that a glob names or would lead through. */
  readonly links: readonly string[];
}

/**
 * The regular files that a pack's `files` globs name, absolute and sorted: what `project: "files"` shows. `*` stays within
 * a name, `**` is any number of directories, everything else is itself. Symlinks are neither followed nor listed: their
 * target may be anything. Neither `**` nor `*` enters `.git` and `node_modules`; naming them does. Files whose name says
 * that they hold secrets are left out: a pack must not get by listing them what `project: "read"` covers.
 *
 * @throws {HookcellError} `invalid_pack` when the globs cover too much.
 */
export async function listProjectFiles(projectRoot: string, globs: readonly string[]): Promise<readonly string[]> {
  return (await listProjectEntries(projectRoot, globs)).files;
}

/** The same, with the symbolic links that were passed over. */
export async function listProjectEntries(projectRoot: string, globs: readonly string[]): Promise<ProjectEntries> {
  const search: Search = { root: projectRoot, files: new Set(), links: new Set(), seen: new Set(), left: maxEntries };
  for (const glob of globs) {
    const parts = glob.split('/').filter((part) => part !== '' && part !== '.');
    search.seen.clear();
    // `**/**` says no more than `**`.
    await expand(
      projectRoot,
      parts.filter((part, index) => part !== '**' || parts[index - 1] !== '**'),
      search,
    );
  }
  return { files: [...search.files].toSorted(), links: [...search.links].toSorted() };
}

interface Search {
  readonly root: string;
  readonly files: Set<string>;
  readonly links: Set<string>;
  /** Where the rest of the current glob was looked for: two `**` lead to one directory in many ways. */
  readonly seen: Set<string>;
  left: number;
}

async function expand(directory: string, parts: readonly string[], search: Search): Promise<void> {
  const [part, ...rest] = parts;
  const place = `${parts.length}:${directory}`;
  if (part === undefined || search.seen.has(place)) return;
  search.seen.add(place);
  const anyDepth = part === '**';
  if (anyDepth && rest.length > 0) await expand(directory, rest, search);
  const matches = compileGlob(anyDepth ? '*' : part);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    search.left -= 1;
    if (search.left < 0) {
      const message = `"files" covers more than ${maxEntries} directory entries; name the directories more closely`;
      throw new HookcellError('invalid_pack', message, {
        findings: [{ code: 'files_too_broad', message, pointer: '/files' }],
      });
    }
    const path = join(directory, entry.name);
    if (!matches(entry.name)) continue;
    if (entry.isSymbolicLink()) search.links.add(path);
    else if (entry.isFile() && rest.length === 0 && !isCoveredBelow(search.root, path)) {
      search.files.add(path);
    } else if (entry.isDirectory() && !isSkipped(entry.name, part)) await expand(path, anyDepth ? parts : rest, search);
  }
}

function isSkipped(name: string, part: string): boolean {
  return (name === '.git' || name === 'node_modules') && name !== part;
}
