import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Directory } from './tree-walk.ts';

/**
 * Whether git takes a directory for a repository without being told: then its `config` and `hooks` name programs that
 * `git -C` there runs. Its objects may lie elsewhere, which `commondir` says.
 */
export function isRepository({ entries }: Pick<Directory, 'entries'>): boolean {
  const held = new Set(entries.map((entry) => entry.name));
  return looksLikeRepository((name) => held.has(name));
}

/**
 * The repository that a path is or lies in, without a name that says so.
 * @param below only directories below this one count
 */
export function repositoryAround(path: string, below: string): string | undefined {
  for (let step = path; step !== below && step !== '/'; step = dirname(step)) {
    const directory = step;
    if (looksLikeRepository((name) => existsSync(join(directory, name)))) return step;
  }
  return undefined;
}

function looksLikeRepository(holds: (name: string) => boolean): boolean {
  return holds('HEAD') && (holds('commondir') || (holds('objects') && holds('refs')));
}
