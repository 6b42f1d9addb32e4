#!/usr/bin/env node
// Builds dist/: tsc checks and compiles, and vite then puts the modules of the command line together, with the
// packages that it imports, in a few files. A host runs it for every event, and to load hundreds of files took twice
// as long as everything else. The library stays as tsc made it. The new tree is made beside the old one and then takes
// its place, so that nobody ever runs a half-written dist/ and a failed build leaves the last good one standing.
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
    await bundle(path.join(fresh, 'cli'));
    chmodSync(path.join(fresh, 'cli', 'bin.js'), 0o755);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}

/** Puts a directory of modules in fewer files of one directory, with the licences of what came in. */
async function bundle(directory) {
  const { build } = await import('vite');
  const modules = `${directory}.modules`;
  renameSync(directory, modules);
  await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: directory,
      target: 'node20',
      license: { fileName: 'LICENSES.md' },
      rolldownOptions: {
        input: [path.join(modules, 'bin.js'), path.join(modules, 'program.js')],
        experimental: { attachDebugInfo: 'none' },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  rmSync(modules, { recursive: true });
}
