import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { CgroupTree } from '../../../src/sandbox/cgroup/tree.ts';

const Recording = z.strictObject({
  description: z.string(),
  files: z.record(z.string(), z.string()),
  directories: z.array(z.string()),
  writable: z.array(z.string()),
});

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/cgroup-trees');

/** A tree of `test/fixtures/cgroup-trees`: what a machine's files say, and what its user may write. */
export function recordedTree(name: string): CgroupTree {
  const recording = Recording.parse(JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8')));
  const paths = [...Object.keys(recording.files), ...recording.directories.map((directory) => `${directory}/.`)];
  return {
    readFile: (file) => recording.files[file],
    isDirectory: (directory) => paths.some((known) => known.startsWith(`${directory}/`)),
    canWrite: (file) => recording.writable.includes(file),
  };
}
