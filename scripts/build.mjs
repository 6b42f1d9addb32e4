#!/usr/bin/env node
// Builds dist/ with tsc. The new tree is made beside the old one and then takes its place, so that
// nobody ever runs a half-written dist/ and a failed build leaves the last good one standing.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const fresh = path.join(root, `dist.new-${process.pid}`);
const old = path.join(root, `dist.old-${process.pid}`);
const dist = path.join(root, 'dist');

if (!existsSync(tsc)) {
  console.error('build: node_modules is missing. Run: npm ci --ignore-scripts');
  process.exit(1);
}
try {
  const result = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json', '--outDir', fresh], {
    cwd: root,
    stdio: 'inherit',
  });
  if (result.status !== 0) {
    console.error('build: tsc found errors (above); dist/ is left as it was.');
    process.exitCode = 1;
  } else {
    const bin = path.join(fresh, 'cli', 'bin.js');
    if (existsSync(bin)) chmodSync(bin, 0o755);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}
