import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { vectorCases } from '../../src/testing/index.ts';
import { projectOf } from './project.ts';

test('finds vectors beneath a directory, hidden ones too, in order; not through links nor in packages', async () => {
  const cwd = projectOf([], {
    'b.vector.json': '',
    '.hookcell/vectors/a.vector.json': '',
    'deep/er/c.vector.json': '',
    'node_modules/x/d.vector.json': '',
    '.git/e.vector.json': '',
    'plain.json': '',
  });
  symlinkSync('/', path.join(cwd, 'root'));
  const names = (await vectorCases('.', { cwd })).map(({ name }) => name);
  expect(names).toEqual(['.hookcell/vectors/a.vector.json', 'b.vector.json', 'deep/er/c.vector.json']);
});

test('takes a file by any name, and each once', async () => {
  const cwd = projectOf([], { 'a.vector.json': '', 'plain.json': '' });
  const cases = await vectorCases(['plain.json', '.', 'a.vector.json'], { cwd });
  expect(cases).toEqual([
    { name: 'plain.json', file: path.join(cwd, 'plain.json') },
    { name: 'a.vector.json', file: path.join(cwd, 'a.vector.json') },
  ]);
});

test('a place that is missing or holds none is refused: no test is no passed test', async () => {
  const cwd = projectOf([], { 'a.vector.json': '', 'empty/x': '' });
  await expect(vectorCases(['.', 'empty', 'missing'], { cwd })).rejects.toMatchObject({
    code: 'invalid_options',
    findings: [
      { code: 'no_vectors', file: 'empty' },
      { code: 'no_vectors', file: 'missing' },
    ],
  });
});
