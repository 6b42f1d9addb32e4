import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface NearestPacks {
  /** The directory that holds them: the project of a vector that names none. */
  readonly root: string;
  /** Absolute directories of packs. */
  readonly packs: readonly string[];
}

/** Of one directory, the first row that holds packs counts. */
const places = [['.hookcell/hooks', '.polpo/hooks'], ['packs']];

/** Looks for packs from a directory upwards. */
export function nearestPacks(directory: string): NearestPacks | undefined {
  for (let level = directory; ; level = dirname(level)) {
    for (const row of places) {
      const packs = row.map((place) => join(level, place)).filter((place) => holdsPacks(place));
      if (packs.length > 0) return { root: level, packs };
    }
    if (dirname(level) === level) return undefined;
  }
}

function holdsPacks(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => name.endsWith('.json'));
  } catch {
    return false;
  }
}
