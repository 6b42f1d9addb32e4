import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** vitest global setup: builds dist/ when a source is newer than it, so that no test runs a stale program. */
export function setup(): void {
  if (newest(path.join(root, 'src')) < builtAt()) return;
  const result = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`the build failed:\n${result.stdout}${result.stderr}`);
}

function builtAt(): number {
  return statSync(path.join(root, 'dist', 'cli', 'bin.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(directory: string): number {
  const times = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(path.join(directory, name)).mtimeMs,
  );
  return Math.max(...times);
}
