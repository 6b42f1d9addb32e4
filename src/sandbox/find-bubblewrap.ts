import { realpathSync, statSync } from 'node:fs';

/** Where distributions put it. Never the PATH: a project, or anybody who can write to an entry of it, could put another program there. */
const places = [
  '/usr/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
  '/run/wrappers/bin/bwrap',
];

export type BubblewrapLookup =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly message: string };

/**
 * Finds a bubblewrap that only the system's administrator can replace.
 *
 * @param named a path from the operator's configuration, checked like the usual places.
 */
export function findBubblewrap(named?: string): BubblewrapLookup {
  const refusals: string[] = [];
  for (const place of named === undefined ? places : [named]) {
    const refusal = refusalOf(place);
    if (refusal === undefined) return { ok: true, path: realpathSync(place) };
    if (refusal !== 'missing' || named !== undefined) refusals.push(`${place}: ${refusal}`);
  }
  return { ok: false, message: refusals.length === 0 ? `bwrap is not at ${places.join(', ')}` : refusals.join('; ') };
}

function refusalOf(path: string): string | undefined {
  try {
    const stat = statSync(realpathSync(path));
    if (!stat.isFile()) return 'not a regular file';
    if ((stat.mode & 0o111) === 0) return 'not executable';
    if (stat.uid !== 0) return `owned by user ${stat.uid}, not by root`;
    if ((stat.mode & 0o022) !== 0) return 'writable for others than root';
    return undefined;
  } catch {
    return 'missing';
  }
}
