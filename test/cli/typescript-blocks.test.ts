import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../support/view.ts';
import { root } from './cli.ts';
import { blocksOf } from './page.ts';

/** What the blocks after a page's first take for granted. */
const setting = `
  import { homedir } from 'node:os';
  import { join } from 'node:path';
  import { createExecutor } from 'hookcell';
  import type { Executor, Pack } from 'hookcell';
  declare const organisationPack: Pack;
  declare const catalogue: string;
  declare const executor: Executor;
  const event = { event: 'tool:before', data: { tool: 'write', input: { path: 'a.txt' } } } as const;
  export const used = [homedir, join, createExecutor, organisationPack, catalogue, executor, event];
`;

/** As a project of somebody's own has it, stricter than `tsc --init` makes it. */
const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
};

/** Blocks in TypeScript, or in JavaScript, which has to be TypeScript as well, by the name of a file. */
function blocks(): readonly (readonly [string, string])[] {
  const pages = ['README.md', ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`)];
  return pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) =>
      blocksOf(page)
        .filter(({ language }) => ['ts', 'js', 'typescript', 'javascript'].includes(language))
        .map(({ text }, index): [string, string] => [
          `${page.replaceAll(/[/.]/gu, '-')}-${index}.ts`,
          text.includes('import ') ? text : `${setting}${text}`,
        ]),
    );
}

/** A project that has the package, and these files. */
function compiled(files: readonly (readonly [string, string])[]): string {
  const cwd = scratchDirectory();
  mkdirSync(path.join(cwd, 'node_modules'));
  symlinkSync(root, path.join(cwd, 'node_modules/hookcell'));
  for (const name of ['@types', 'vitest'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(cwd, 'node_modules', name));
  writeFileSync(path.join(cwd, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const [name, text] of files) writeFileSync(path.join(cwd, name), text);
  return spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd, encoding: 'utf8', timeout: 50_000 })
    .stdout;
}

test('every block of TypeScript in the pages compiles strictly', () => {
  const files = blocks();
  expect(files.length).toBeGreaterThanOrEqual(6);
  expect(compiled(files)).toBe('');
});

test('and one that does not would be seen', () => {
  const [, text = ''] = blocks().find(([name]) => name.startsWith('docs-embedding')) ?? [];
  expect(compiled([['spoiled.ts', text.replace('data?.input', 'data.input')]])).toContain('TS18048');
});
