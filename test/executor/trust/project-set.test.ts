import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discoverProject } from '../../../src/executor/discover.ts';
import type { ProjectSet } from '../../../src/executor/trust/project-set.ts';
import { readProjectSet, readSetHead } from '../../../src/executor/trust/project-set.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const file = '.hookcell/hooks/p.json';

/** A pack of one hook. */
function packText(handler: object, pack: object = {}, name = 'p'): string {
  const hook = { id: 'h', event: 'tool:before', handler: { type: 'command', ...handler } };
  return JSON.stringify({ version: 1, name, ...pack, hooks: [hook] });
}

async function setOf(root: string, agents: readonly string[] = []): Promise<ProjectSet> {
  const { packs } = await discoverProject(root, (path) => path === root);
  return readProjectSet(readSetHead(root, packs, agents), new Map());
}

const pathsOf = (set: ProjectSet): string[] => set.entries.map(({ path }) => path).filter((path) => path !== file);
const codesOf = (set: ProjectSet): string[] => set.findings.map(({ code }) => code);

const files = {
  'a.sh': '#!/bin/sh\n',
  'b.sh': '#!/usr/bin/env -S ./tools/run --fast\n',
  'tools/run': '#!tools/deeper\n',
  'tools/deeper': '\u007fELF',
  'my script.sh': '#!/bin/sh\n',
  'rules.txt': '',
  'out/state.json': '{}',
  'out/made.sh': '#!/bin/sh\n',
  '.env': 'TOKEN=x',
  'lib/one.mjs': '',
  'lib/deep/two.mjs': '',
  'lib/id_rsa': 'key',
};

test.each<[string, object, object, readonly string[]]>([
  ['a script', { command: './a.sh' }, {}, ['a.sh']],
  [
    'a script of an interpreter, and its options',
    { command: ['sh', 'a.sh', '--rules=rules.txt'] },
    {},
    ['a.sh', 'rules.txt'],
  ],
  ['interpreters of the project', { command: './b.sh' }, {}, ['b.sh', 'tools/deeper', 'tools/run']],
  ['words of a shell line', { command: 'cat rules.txt | "$ROOT"/a.sh' }, {}, ['a.sh', 'rules.txt']],
  ['a name with a space', { command: 'sh "my script.sh"' }, {}, ['my script.sh']],
  ['a program with arguments', { command: 'sh', args: ['my script.sh'] }, {}, ['my script.sh']],
  ['what a link leads to', { command: './link.sh' }, {}, ['a.sh']],
  ['nothing of the system', { command: ['/bin/sh', '-c', 'true'] }, {}, []],
  ['nothing outside', { command: ['sh', '../a.sh', './outside.sh'] }, {}, []],
  ['no secret', { command: ['sh', './a.sh', '.env', 'lib/id_rsa'] }, {}, ['a.sh']],
  [
    'no data where the hook writes, but programs',
    { command: ['sh', './a.sh', 'out/state.json', 'out/made.sh'] },
    { sandbox: { write: ['out'] } },
    ['a.sh', 'out/made.sh'],
  ],
  ['listed files', { command: 'true' }, { files: ['lib/**'] }, ['lib/deep/two.mjs', 'lib/one.mjs']],
])('names %s', async (_what, handler, pack, expected) => {
  const top = plant(scratchDirectory(), { 'a.sh': '' });
  const root = plant(join(top, 'project'), { ...files, [file]: packText(handler, pack) });
  for (const name of Object.keys(files)) {
    if (!name.endsWith('.sh') && !name.startsWith('tools')) chmodSync(join(root, name), 0o644);
  }
  symlinkSync('a.sh', join(root, 'link.sh'));
  symlinkSync('../a.sh', join(root, 'outside.sh'));
  const set = await setOf(root);
  expect(set.findings).toEqual([]);
  expect(pathsOf(set)).toEqual(expected);
});

test('is of both directories, and of every agent.json that selects packs', async () => {
  const root = plant(scratchDirectory(), {
    [file]: packText({ command: 'true' }),
    '.polpo/hooks/q.json': packText({ command: 'true' }, {}, 'q'),
    'agent.json': '{"hooks":[]}',
    '.polpo/agent.json': '{"hooks":[]}',
    'agents/x.json': '{"hooks":[]}',
    'agents/y.json': '{"hooks":[]}',
  });
  expect(pathsOf(await setOf(root, ['agents/x.json']))).toEqual([
    '.polpo/agent.json',
    '.polpo/hooks/q.json',
    'agent.json',
    'agents/x.json',
  ]);
});

test('has another hash for other content, another mode, another name, another link, and the same for the same', async () => {
  const root = plant(scratchDirectory(), {
    'lib/a': 'a',
    'lib/b': 'b',
    [file]: packText({ command: 'true' }, { files: ['lib/*'] }),
  });
  symlinkSync('a', join(root, 'lib/link'));
  const hash = async (): Promise<string> => (await setOf(root)).hash;
  const first = await hash();
  expect(await hash()).toBe(first);
  const hashes = [first];
  const steps = [
    () => writeFileSync(join(root, 'lib/a'), 'A'),
    () => chmodSync(join(root, 'lib/a'), 0o644),
    () => execFileSync('mv', [join(root, 'lib/a'), join(root, 'lib/c')]),
    () => execFileSync('ln', ['-sfn', 'c', join(root, 'lib/link')]),
    () => execFileSync('rm', [join(root, 'lib/b')]),
    () => linkSync(join(root, 'lib/c'), join(root, 'lib/d')),
    () => writeFileSync(join(root, file), `${readFileSync(join(root, file), 'utf8')}\n`),
  ];
  for (const step of steps) {
    step();
    hashes.push(await hash());
  }
  expect(new Set(hashes).size).toBe(steps.length + 1);
});

test('what runs over a link is what the kernel finds there, and its way up', async () => {
  const root = plant(scratchDirectory(), {
    'lib/deep/x': '',
    'lib/c.sh': '',
    'c.sh': '',
    [file]: packText({ command: ['sh', 'link/../c.sh'] }),
  });
  symlinkSync('lib/deep', join(root, 'link'));
  expect(pathsOf(await setOf(root))).toContain('lib/c.sh');
});

test('a set stayed the same when another file took the place of what was accepted', async () => {
  const top = plant(scratchDirectory(), { 'a.sh': '#!/bin/sh\n' });
  const root = plant(join(top, 'project'), { 'a.sh': '#!/bin/sh\n', [file]: packText({ command: './a.sh' }) });
  const first = (await setOf(root)).hash;
  for (const replace of [
    () => symlinkSync('../a.sh', join(root, 'a.sh')),
    () => plant(root, { 'a.sh/index.js': '' }),
    () => plant(root, { 'A.sh': '#!/bin/sh\n' }),
  ]) {
    rmSync(join(root, 'a.sh'), { recursive: true });
    replace();
    expect((await setOf(root)).hash).not.toBe(first);
  }
});

test.each([
  ['python3 -m checks.guard', 'checks/guard.py'],
  ['node --import ./x.mjs a.mjs', 'x.mjs'],
])('%s ran a file that was not pinned', async (command, expected) => {
  const root = plant(scratchDirectory(), { [expected]: '', 'a.mjs': '', [file]: packText({ command }) });
  const set = await setOf(root);
  expect(pathsOf(set)).toContain(expected);
  expect(set.unpinned).toEqual([]);
});

test('a change through a hard link outside the project is one of the script', async () => {
  const top = scratchDirectory();
  const root = plant(join(top, 'project'), { 'a.sh': '#!/bin/sh\n', [file]: packText({ command: './a.sh' }) });
  const first = (await setOf(root)).hash;
  linkSync(join(root, 'a.sh'), join(top, 'b.sh'));
  expect((await setOf(root)).hash).toBe(first);
  writeFileSync(join(top, 'b.sh'), '#!/bin/sh\necho\n');
  expect((await setOf(root)).hash).not.toBe(first);
});

test('names that differ in case, in normalisation, or by a line break are different files', async () => {
  const root = plant(scratchDirectory(), { [file]: packText({ command: 'true' }, { files: ['lib/*'] }) });
  const names = ['lib/\u00e9', 'lib/e\u0301', 'lib/a', 'lib/A', 'lib/a\nA', 'lib/a '];
  const hashes = new Set([(await setOf(root)).hash]);
  for (const name of names) {
    plant(root, { [name]: '' });
    hashes.add((await setOf(root)).hash);
  }
  expect(hashes.size).toBe(names.length + 1);
  expect(pathsOf(await setOf(root)).toSorted()).toEqual(names.toSorted());
});

describe('lines of which only the running line knows what they run', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['nothing', [], ['unpinned']],
    ['globs that match nothing', ['gone/*'], ['files_match_nothing']],
    ['globs that match a link only', ['link'], ['files_match_nothing']],
    ['a directory', ['lib'], ['files_match_nothing']],
    ['what they run', ['lib/*'], []],
  ])('with "files" that name %s', async (_what, globs, codes) => {
    const root = plant(scratchDirectory(), { 'lib/a': '', [file]: packText({ command: 'sh "$X"' }, { files: globs }) });
    symlinkSync('lib/a', join(root, 'link'));
    const { unpinned } = await setOf(root);
    expect(unpinned.map(({ code }) => code)).toEqual(codes);
  });
});

const planted = (pack: object = {}): string =>
  plant(scratchDirectory(), { 'lib/a': '', [file]: packText({ command: 'true' }, pack) });

describe('findings', () => {
  test.each<[string, string, (root: string) => void]>([
    [
      'a pack that is a pipe',
      'not_a_file',
      (root) => execFileSync('/usr/bin/mkfifo', [join(root, '.hookcell/hooks/x.json')]),
    ],
    ['a pack that is a directory', 'not_a_file', (root) => plant(root, { '.hookcell/hooks/x.json/y': '' })],
    ['a pack that is a link', 'is_link', (root) => symlinkSync('p.json', join(root, '.hookcell/hooks/x.json'))],
    [
      'a pack that leads outside',
      'escapes',
      (root) => symlinkSync('/etc/passwd', join(root, '.hookcell/hooks/x.json')),
    ],
    ['a pack that leads nowhere', 'missing', (root) => symlinkSync('none', join(root, '.hookcell/hooks/x.json'))],
    [
      'a pack of five megabytes',
      'too_large',
      (root) => {
        plant(root, { '.hookcell/hooks/x.json': '' });
        truncateSync(join(root, '.hookcell/hooks/x.json'), 5 * 2 ** 20);
      },
    ],
    [
      'a second directory that is a link to the first',
      'is_link',
      (root) => symlinkSync('.hookcell', join(root, '.polpo')),
    ],
    [
      'two packs of one name',
      'duplicate_pack',
      (root) => plant(root, { '.polpo/hooks/p.json': packText({ command: 'true' }) }),
    ],
    ['a pack that is none', 'invalid_json', (root) => plant(root, { '.hookcell/hooks/x.json': '{' })],
    ['an agent that is a link', 'is_link', (root) => symlinkSync(file, join(root, 'agent.json'))],
  ])('%s', async (_what, code, harm) => {
    const root = planted();
    harm(root);
    expect(codesOf(await setOf(root))).toContain(code);
  });

  test('a name that is no UTF-8', async () => {
    const root = planted();
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/.hookcell/hooks/`), Buffer.from([0xff]), Buffer.from('.json')]),
      '{}',
    );
    expect(codesOf(await setOf(root))).toEqual(['missing']);
  });

  test('files that lead outside, are special, or are too many', async () => {
    const outside = planted({ files: ['lib/*'] });
    symlinkSync('/etc', join(outside, 'lib/etc'));
    expect(codesOf(await setOf(outside))).toEqual(['escapes']);
    const many = planted({ files: ['lib/*'] });
    for (let index = 0; index < 600; index += 1) writeFileSync(join(many, `lib/${index}`), '');
    expect(codesOf(await setOf(many))).toEqual(['files_too_broad']);
    const huge = planted({ files: ['lib/*'] });
    truncateSync(join(huge, 'lib/a'), 2 ** 40);
    expect(codesOf(await setOf(huge))).toEqual(['too_large']);
  });

  test('a command of more words than anybody reads', async () => {
    const root = plant(scratchDirectory(), {
      [file]: packText({
        command: [
          'true',
          Array.from({ length: 11_000 }, (_, index) => index)
            .join(' ')
            .slice(0, 32_000),
        ],
        args: [],
      }),
      '.hookcell/hooks/q.json': packText(
        {
          command: [
            'true',
            ...Array.from({ length: 3 }, (_, part) =>
              Array.from({ length: 4_000 }, (__, index) => part * 4_000 + index).join(' '),
            ),
          ],
        },
        {},
        'q',
      ),
    });
    expect(codesOf(await setOf(root))).toContain('too_many');
  });
});
