import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files of `/proc` to show empty to a child of root: every id inside is the machine's own root then, and the kernel asks for the
 * owner of these alone, for no capability. That nothing in `/proc` can be written is not enough for what only root may read.
 * @param root `/proc`, or a recorded tree in tests
 */
export function privateProcFiles(root = '/proc'): string[] {
  return readdirSync(root)
    .filter((name) => !/^\d+$/.test(name))
    .filter((name) => {
      const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
      return stats?.isFile() === true && (stats.mode & 0o004) === 0;
    })
    .map((name) => `/proc/${name}`);
}
