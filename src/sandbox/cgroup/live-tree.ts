import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import type { CgroupTree } from './tree.ts';

/** The machine this process runs on. */
export const liveTree: CgroupTree = {
  readFile(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  isDirectory(path) {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  },
  canWrite(path) {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
};
