import type { SetEntry } from './trust-record.ts';

/** What differs between two sets: paths relative to the project, sorted. */
export interface SetChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Compares what was accepted with what is there. Pure. */
export function compareSets(accepted: readonly SetEntry[], found: readonly SetEntry[]): SetChanges {
  const before = new Map(accepted.map((entry) => [entry.path, entry]));
  const after = new Map(found.map((entry) => [entry.path, entry]));
  return {
    added: [...after.keys()].filter((path) => !before.has(path)).toSorted(),
    changed: accepted
      .filter(({ path, mode, sha256 }) => {
        const entry = after.get(path);
        return entry !== undefined && (entry.mode !== mode || entry.sha256 !== sha256);
      })
      .map(({ path }) => path)
      .toSorted(),
    removed: [...before.keys()].filter((path) => !after.has(path)).toSorted(),
  };
}

export function hasChanges({ added, changed, removed }: SetChanges): boolean {
  return added.length + changed.length + removed.length > 0;
}
