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

test('globs made to hang are refused', async () => {
  const root = plant(scratchDirectory(), { [`${'d/'.repeat(40)}x`]: '' });
  await expect(listProjectFiles(root, ['**/'.repeat(20) + 'y'])).rejects.toMatchObject({ code: 'invalid_pack' });
});

test('symbolic links are named apart, on the way and at the end', async () => {
  const root = plant(scratchDirectory(), files);
  symlinkSync('/etc', join(root, 'link'));
  symlinkSync('a.ts', join(root, 'src/linked.ts'));
  const { links } = await listProjectEntries(root, ['link/*', 'src/*.ts', 'src/deep/**']);
  expect(links).toEqual([join(root, 'link'), join(root, 'src/linked.ts')]);
});
