import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makePrivateDirectory } from '../../src/executor/private-directory.ts';

test('makes every missing level for its owner alone, and takes an existing one', async () => {
  const base = mkdtempSync(join(tmpdir(), 'hookcell-test-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const path = join(base, 'a', 'b', 'c');
  await makePrivateDirectory(path);
  await makePrivateDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(base, 'a')).mode & 0o777).toBe(0o700);
});

test('a file system that answers ENOENT below an existing directory hangs nobody', async () => {
  await expect(makePrivateDirectory('/proc/hookcell/state')).rejects.toMatchObject({ code: 'ENOENT' });
});
