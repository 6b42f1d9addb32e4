import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Whether the absolute `path` is `root` or lies below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

/** The real path of an absolute path, of which an end may not exist yet. */
export function nearestReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(nearestReal(dirname(path)), basename(path));
  }
}
