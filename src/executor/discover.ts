import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a project keeps packs. */
const directories = ['.hookcell/hooks', '.polpo/hooks'];

/**
 * Finds the packs of a project, relative to it. They are not read: nobody accepted them. A directory that is there but
 * cannot be listed counts as a find, since it may hold a guard.
 */
export async function discoverPacks(projectRoot: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const directory of directories) {
    try {
      const names = await readdir(join(projectRoot, directory));
      found.push(
        ...names
          .filter((name) => name.endsWith('.json'))
          .toSorted()
          .map((name) => join(directory, name)),
      );
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') found.push(directory);
    }
  }
  return found;
}

/** What to say about packs that nobody accepted. */
export function untrustedMessage(found: readonly string[]): string {
  const places = [...new Set(found.map((file) => directories.find((directory) => file.startsWith(directory)) ?? file))];
  const flags = places.map((place) => `--packs ${place}`).join(' ');
  return `found ${found.join(', ')} in the project, which nobody accepted; read them, then name them: ${flags}`;
}
