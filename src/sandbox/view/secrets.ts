import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { withoutCredentials } from './git-config.ts';
import { isSecretDirectory, isSecretName } from './secret-names.ts';
import { keepText, type StaticFiles } from './static-files.ts';
import { isUndecodable, subdirectories, walkTree, type Directory } from './tree-walk.ts';
import { unenterableAbove } from './unenterable.ts';

/** A path of the view and what is shown in its place. */
export interface Cover {
  readonly target: string;
  readonly source: string;
}

export interface SecretCovers {
  readonly covers: readonly Cover[];
  /** False: the tree is larger than the search, or holds names that are not UTF-8, so secrets in it may be visible. */
  readonly complete: boolean;
}

const bounds = { maxEntries: 20_000, maxDepth: 12 };
const maxGitConfigBytes = 262_144;

/**
 * Finds below `root` what is not shown as it is, and says what covers each: well-known secret files, and pipes and sockets, through
 * which a program outside could be talked to. Best effort: see docs/sandbox-view.md.
 */
export async function secretCovers(root: string, files: StaticFiles): Promise<SecretCovers> {
  const covers: Cover[] = [];
  const gitConfigs: string[] = [];
  let undecodable = false;
  const complete = await walkTree(root, bounds, (directory) => {
    const { path, name, entries } = directory;
    for (const entry of entries) {
      const target = join(path, entry.name);
      if (isUndecodable(entry)) {
        undecodable = true;
        continue;
      }
      if (entry.isFIFO() || entry.isSocket()) covers.push({ target, source: files.emptyFile });
      if (entry.isFile() && isSecretName(entry.name, name)) covers.push({ target, source: files.emptyFile });
      if (entry.isDirectory() && isSecretDirectory(entry.name)) covers.push({ target, source: files.emptyDirectory });
    }
    if (!isGitDirectory(directory)) return subdirectories(directory).filter((child) => !isSecretDirectory(child));
    for (const config of ['config', 'config.worktree']) {
      if (entries.some((entry) => entry.name === config && entry.isFile())) gitConfigs.push(join(path, config));
    }
    return ['modules', 'worktrees'].filter((child) => entries.some((entry) => entry.name === child));
  });
  for (const target of gitConfigs) covers.push({ target, source: await cleanCopy(target, files) });
  const known = new Map<string, boolean>();
  const reachable = covers.map((cover) => {
    const target = unenterableAbove(root, cover.target, known);
    return target === undefined ? cover : { target, source: files.emptyDirectory };
  });
  return { covers: reachable, complete: complete && !undecodable };
}

/** `.git` itself, and the repositories of submodules and bare ones by what they hold. */
function isGitDirectory({ name, entries }: Directory): boolean {
  const held = new Set(entries.map((entry) => entry.name));
  return name === '.git' || (held.has('HEAD') && held.has('objects') && held.has('config'));
}

async function cleanCopy(path: string, files: StaticFiles): Promise<string> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return files.emptyFile;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > maxGitConfigBytes) return files.emptyFile;
    return keepText(files, withoutCredentials(await handle.readFile('utf8')));
  } finally {
    await handle.close();
  }
}
