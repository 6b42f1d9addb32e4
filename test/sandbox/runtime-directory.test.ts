import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';

import { currentOwner } from '../../src/sandbox/cgroup/owner.ts';
import { makeRuntimeDirectory, sweepRuntimeDirectories } from '../../src/sandbox/runtime-directory.ts';
import { linux, liveTest } from '../support/capability.ts';
import { scratchDirectory } from '../support/view.ts';

const owner = linux.present ? currentOwner() : { pid: 1, startTime: '1', pidNamespace: '1' };

liveTest(linux, 'the directory is private, and another one each time', () => {
  const base = scratchDirectory();
  const made = [makeRuntimeDirectory(owner, base), makeRuntimeDirectory(owner, base)];
  for (const directory of made) expect(statSync(directory).mode & 0o7777).toBe(0o700);
  expect(new Set(made).size).toBe(2);
});

liveTest(linux, 'what dead owners left is removed, and nothing else', () => {
  const base = scratchDirectory();
  const dead = makeRuntimeDirectory({ ...owner, startTime: '1' }, base);
  writeFileSync(join(dead, 'filter-none'), 'x', { mode: 0o400 });
  const kept = [
    makeRuntimeDirectory(owner, base),
    // Its process ids mean nothing here.
    makeRuntimeDirectory({ ...owner, startTime: '1', pidNamespace: '42' }, base),
    join(base, 'hookcell-notes'),
    join(base, `hookcell-${owner.pidNamespace}-1-1`),
  ];
  for (const directory of kept.slice(2)) mkdirSync(directory);
  expect(sweepRuntimeDirectories(owner, base)).toEqual([dead]);
  expect(new Set(readdirSync(base))).toEqual(new Set(kept.map((directory) => basename(directory))));
});
