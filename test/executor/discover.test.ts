import { symlinkSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discoverProject, neverAccepted, projectOfPack } from '../../src/executor/discover.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const pack = '.hookcell/hooks/a.json';

interface Expected {
  readonly root: string;
  readonly foundBy: string;
  readonly packs?: readonly string[];
  readonly strays?: readonly string[];
}

/** Paths of files, of the records and of the result are relative to a scratch directory; the search begins in `a/b/c`. */
async function discover(files: readonly string[], records: readonly string[]): Promise<Expected> {
  const top = plant(scratchDirectory(), { 'a/b/c/': '', ...Object.fromEntries(files.map((file) => [file, '{}'])) });
  const place = (path: string): string => relative(top, path);
  const found = await discoverProject(`${top}/a/b/c`, (path) => records.includes(place(path)));
  return {
    root: place(found.root),
    foundBy: found.foundBy,
    packs: found.packs.map(place),
    strays: found.strays.map(place),
  };
}

test.each<[string, readonly string[], readonly string[], Expected]>([
  ['nothing anywhere', [], [], { root: 'a/b/c', foundBy: 'working directory' }],
  ['packs where it begins', [`a/b/c/${pack}`], [], { root: 'a/b/c', foundBy: 'packs', packs: [`a/b/c/${pack}`] }],
  ['packs above', [`a/${pack}`], [], { root: 'a', foundBy: 'packs', packs: [`a/${pack}`] }],
  [
    'packs at two levels: the nearest, and none of them is accepted',
    [`a/${pack}`, `a/b/${pack}`],
    [],
    { root: 'a/b', foundBy: 'packs', packs: [`a/b/${pack}`] },
  ],
  ['a record without packs: they were removed', [], ['a'], { root: 'a', foundBy: 'trust record' }],
  [
    'packs put into a sub-directory do not take the place of accepted ones',
    [`a/${pack}`, `a/b/c/${pack}`, 'a/b/.polpo/hooks/x.json'],
    ['a'],
    {
      root: 'a',
      foundBy: 'trust record',
      packs: [`a/${pack}`],
      strays: [`a/b/c/${pack}`, 'a/b/.polpo/hooks/x.json'],
    },
  ],
  [
    'the outermost record, also when a nearer directory has one',
    [`a/${pack}`, `a/b/${pack}`],
    ['a', 'a/b'],
    { root: 'a', foundBy: 'trust record', packs: [`a/${pack}`], strays: [`a/b/${pack}`] },
  ],
  [
    'packs above the record are of another project',
    [pack, `a/b/${pack}`],
    ['a/b'],
    { root: 'a/b', foundBy: 'trust record', packs: [`a/b/${pack}`] },
  ],
  [
    'both places, in order',
    ['a/.polpo/hooks/x.json', 'a/.hookcell/hooks/z.json', 'a/.hookcell/hooks/y.json'],
    [],
    {
      root: 'a',
      foundBy: 'packs',
      packs: ['a/.hookcell/hooks/y.json', 'a/.hookcell/hooks/z.json', 'a/.polpo/hooks/x.json'],
    },
  ],
  [
    'other files are no packs',
    ['a/b/.hookcell/hooks/README.md', 'a/b/.hookcell/config.json'],
    [],
    {
      root: 'a/b/c',
      foundBy: 'working directory',
    },
  ],
])('%s', async (_what, files, records, expected) => {
  expect(await discover(files, records)).toEqual({ packs: [], strays: [], ...expected });
});

test.each([
  ['/p/.hookcell/hooks/a.json', '/p'],
  ['/p/.polpo/hooks/a.json', '/p'],
  ['/.hookcell/hooks/a.json', '/'],
  ['/p/packs/a.json', undefined],
  ['/p/.hookcell/hooks/deeper/a.json', undefined],
  ['/p/x.hookcell/hooks/a.json', undefined],
  ['<options>', undefined],
])('a pack in %s lies in the project %s', (file, root) => {
  expect(projectOfPack(file)).toBe(root);
});

describe('packs that nobody accepted', () => {
  const project = { root: '/p', start: '/p/sub', foundBy: 'packs' } as const;

  test('are named, with how to name them from the root, where their scripts are found', () => {
    expect(neverAccepted({ ...project, packs: [`/p/${pack}`], strays: [`/p/sub/${pack}`] })).toEqual({
      files: [pack, `sub/${pack}`],
      required: false,
      message: expect.stringMatching(/in \/p \(cd \.\.\): --packs \.hookcell\/hooks --packs sub\/\.hookcell\/hooks$/u),
    });
  });

  test('are named in a message of bounded length', () => {
    const packs = Array.from({ length: 5_000 }, (_, index) => `/p/.hookcell/hooks/${index}.json`);
    const found = neverAccepted({ ...project, packs, strays: [] });
    expect(found?.files).toHaveLength(5_000);
    expect(found?.message).toContain('and 4980 more');
    expect(found?.message.length).toBeLessThan(2_000);
  });

  test('none: nothing to say', () => {
    expect(neverAccepted({ ...project, packs: [], strays: [] })).toBeUndefined();
  });
});

test('what is there and cannot be listed may hold a guard', async () => {
  // A directory of mode 0 does not stop root; a name that is a loop of links stops everybody.
  const top = plant(scratchDirectory(), { 'a/.hookcell/': '' });
  symlinkSync('hooks', `${top}/a/.hookcell/hooks`);
  expect(await discoverProject(`${top}/a`, () => false)).toMatchObject({
    foundBy: 'packs',
    packs: [`${top}/a/.hookcell/hooks`],
  });
});
