import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInstallationKey } from '../../src/executor/installation-key.ts';
import { scratchDirectory } from '../support/view.ts';

test('is made once, private, and the same for all who ask at the same time', async () => {
  const directory = join(scratchDirectory(), 'state');
  const keys = await Promise.all(Array.from({ length: 8 }, () => readInstallationKey(directory)));
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect(readdirSync(directory)).toEqual(['installation.key']);
  expect(statSync(join(directory, 'installation.key')).mode & 0o777).toBe(0o600);
  expect(await readInstallationKey(directory)).toEqual(keys[0]);
});

test.each<[string, (file: string) => void, RegExp]>([
  ['readable by others', (file) => (writeFileSync(file, Buffer.alloc(32)), chmodSync(file, 0o644)), /chmod 600/u],
  ['of another size', (file) => writeFileSync(file, 'short', { mode: 0o600 }), /expected 32/u],
  ['a directory', (file) => mkdirSync(file), /not a regular file/u],
  ['a symlink', (file) => symlinkSync('/etc/hostname', file), /cannot be used/u],
])('is refused when it is %s', async (_what, plant, message) => {
  const directory = scratchDirectory();
  plant(join(directory, 'installation.key'));
  await expect(readInstallationKey(directory)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringMatching(message),
  });
});
