import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/lib/generated-files.ts';
import { causeCatalogue, causes, schemaNames } from '../../src/protocol/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('generated files', () => {
  it.each(generatedFiles.map((file) => [file.path, file] as const))(
    '%s is fresh (node scripts/generate.mjs)',
    (name, file) => {
      expect(existsSync(path.join(root, name))).toBe(true);
      expect(read(name)).toBe(file.content(read(name)));
    },
  );

  it('schema/ holds the schemas and nothing else that looks like one', () => {
    const published = readdirSync(path.join(root, 'schema')).filter((name) => name.endsWith('.schema.json'));
    expect(published.toSorted()).toEqual(schemaNames.map((name) => `${name}.schema.json`).toSorted());
  });

  it('no schema has a part that accepts anything by accident', () => {
    for (const name of schemaNames) {
      expect(read(`schema/${name}.schema.json`), name).not.toMatch(/: \{\}|"\$ref"/u);
    }
  });
});

describe('the cause catalogue', () => {
  it('has every cause and no other, each with a meaning and a remedy', () => {
    expect(Object.keys(causeCatalogue).toSorted()).toEqual([...causes].toSorted());
    for (const { meaning, remedy } of Object.values(causeCatalogue)) {
      expect(meaning).toMatch(/^[^|\n]{10,}\.$/u);
      expect(remedy).toMatch(/^[^|\n]{10,}$/u);
    }
  });

  it('docs/causes.md has a row for every cause and for no other', () => {
    const rows = [...read('docs/causes.md').matchAll(/^\| `(\w+)` \|/gmu)].map((match) => match[1]);
    expect(rows).toEqual([...causes]);
  });
});
