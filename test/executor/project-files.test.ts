import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProjectEntries, listProjectFiles } from '../../src/executor/project-files.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const files = {
  'a.json': '',
  'src/a.ts': '',
  'src/[id].ts': '',
  'src/deep/b.ts': '',
  'src/deep/er/b.ts': '',
  'node_modules/x/b.ts': '',
  '.git/config': '',
  '.git/HEAD': '',
  'config/.env': '',
  'config/.env.example': '',
  '.aws/credentials': '',
};

test.each<[string, readonly string[]]>([
  ['a.json', ['a.json']],
  ['*.json', ['a.json']],
  ['src/*.ts', ['src/[id].ts', 'src/a.ts']],
  ['src/[id].ts', ['src/[id].ts']],
  ['**/b.ts', ['src/deep/b.ts', 'src/deep/er/b.ts']],
  ['src/**', ['src/[id].ts', 'src/a.ts', 'src/deep/b.ts', 'src/deep/er/b.ts']],
  ['*/*/b.ts', ['src/deep/b.ts']],
  ['.git/config', []],
  ['.git/HEAD', ['.git/HEAD']],
  ['config/*', ['config/.env.example']],
  ['config/.env', []],
  ['.aws/*', []],
  ['missing/**', []],
  ['link/*', []],
  ['linked.json', []],
])('%s', async (glob, expected) => {
  const root = plant(scratchDirectory(), files);
  symlinkSync('/etc', join(root, 'link'));
  symlinkSync(join(root, 'a.json'), join(root, 'linked.json'));
  expect(await listProjectFiles(root, [glob])).toEqual(expected.map((path) => join(root, path)));
});

test('globs made to hang end at once', async () => {
  const root = plant(scratchDirectory(), { [`${'d/'.repeat(40)}x`]: '' });
  expect(await listProjectFiles(root, ['**/'.repeat(20) + 'y'])).toEqual([]);
}, 10_000);

test('globs that look at too many entries are refused', async () => {
  const names = Array.from({ length: 1_000 }, (_none, index) => [`f${index}`, ''] as const);
  const root = plant(scratchDirectory(), Object.fromEntries(names));
  const globs = Array.from({ length: 101 }, (_none, index) => `x${index}`);
  await expect(listProjectFiles(root, globs)).rejects.toThrow(/more than 100000/u);
});

test('symbolic links are named apart, on the way and at the end', async () => {
  const root = plant(scratchDirectory(), files);
  symlinkSync('/etc', join(root, 'link'));
  symlinkSync('a.ts', join(root, 'src/linked.ts'));
  const { links } = await listProjectEntries(root, ['link/*', 'src/*.ts', 'src/deep/**']);
  expect(links).toEqual([join(root, 'link'), join(root, 'src/linked.ts')]);
});

test('many ** in one glob look into each directory once, not once for each way to it', async () => {
  const deep = Array.from({ length: 24 }, (_none, level) => `d${level}`).join('/');
  const root = plant(scratchDirectory(), { [`${deep}/a.ts`]: '', 'a.ts': '' });
  const expected = [join(root, 'a.ts'), join(root, deep, 'a.ts')].toSorted();
  expect(await listProjectFiles(root, [`${'**/'.repeat(8)}a.ts`])).toEqual(expected);
  expect(await listProjectFiles(root, [`${'**/d*/'.repeat(10)}**/a.ts`])).toEqual([join(root, deep, 'a.ts')]);
}, 10_000);
