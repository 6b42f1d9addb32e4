import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  CommandHandler,
  Configuration,
  Hook,
  Matcher,
  Pack,
  readPack,
  readVector,
  SandboxRequest,
} from '../../src/protocol/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pages = [
  ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(path.join(root, 'examples')).map((name) => `examples/${name}/README.md`),
  'examples/README.md',
].filter((file) => file.endsWith('.md') && existsSync(path.join(root, file)));

describe.each(pages)('%s', (page) => {
  test('links lead somewhere', () => {
    const text = read(page).replaceAll(/```[\s\S]*?```/g, '');
    for (const [, target = '', anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const file = target === '' ? path.join(root, page) : path.resolve(root, path.dirname(page), target);
      expect(existsSync(file), `${page}: ${target}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(file, 'utf8')), `${page}: #${anchor}`).toContain(anchor);
    }
  });
});

function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Sections of packs.md, the keys that each must have, and where one example of a key goes in a pack. */
const command = { type: 'command', command: './check.sh' };
const hook = { id: 'check', event: 'tool:before', handler: command };
const pack = { version: 1, name: 'example', hooks: [hook] };
const sections = [
  { title: 'The pack', keys: Pack.shape, place: (part: object) => ({ ...pack, ...part }) },
  { title: 'A hook', keys: Hook.shape, place: (part: object) => ({ ...pack, hooks: [{ ...hook, ...part }] }) },
  {
    title: 'matcher',
    keys: Matcher.shape,
    place: (part: object) => ({ ...pack, hooks: [{ ...hook, matcher: part }] }),
  },
  {
    title: 'handler',
    keys: CommandHandler.shape,
    place: (part: object) => ({ ...pack, hooks: [{ ...hook, handler: { ...command, ...part } }] }),
  },
  { title: 'What a pack asks for', keys: SandboxRequest.shape, place: (part: object) => ({ ...pack, sandbox: part }) },
];

describe('docs/packs.md', () => {
  test.each(sections)('$title has every key with an example that loads', ({ title, keys, place }) => {
    const rows = rowsOf(read('docs/packs.md'), title);
    expect(rows.map(({ key }) => key).toSorted()).toEqual(Object.keys(keys).toSorted());
    for (const { key, example } of rows) {
      // It does not load yet, so it has none.
      if (key === 'terminationGate') continue;
      const part: object = JSON.parse(`{${example}}`);
      expect(Object.keys(part)).toEqual([key]);
      expect(readPack(JSON.stringify(place(part)), key)).toMatchObject({ ok: true });
    }
  });
});

function rowsOf(markdown: string, title: string): { key: string; example: string }[] {
  const [, after = ''] = markdown.split(new RegExp(`^#+ ${title}$`, 'm'));
  const [section = ''] = after.split(/^#/m);
  const [table = ''] = section.split(/^Forms of/m);
  return [...table.matchAll(/^\| `([$\w]+)` \|.*\| (?:`([^`]+)`)? ?\|$/gm)].map(([, key = '', example = '']) => ({
    key,
    example,
  }));
}

describe('docs/guide.md', () => {
  const blocks = [...read('docs/guide.md').matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  test('its whole documents load', () => {
    const packs = blocks.filter((text) => text.includes('"hooks": ['));
    const vectors = blocks.filter((text) => text.includes('"expect"'));
    const configurations = blocks.filter((text) => text.includes('"projects"'));
    expect([packs.length, vectors.length, configurations.length]).toEqual([1, 1, 1]);
    expect(readPack(packs[0] ?? '', 'pack')).toMatchObject({ ok: true });
    expect(readVector(vectors[0] ?? '', 'vector', { expectation: 'require' })).toMatchObject({ ok: true });
    expect(Configuration.safeParse(JSON.parse(configurations[0] ?? ''))).toMatchObject({ success: true });
  });
});
