import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { grantRemedy } from '../../../src/executor/grant-remedy.ts';
import { Configuration, Grant, readConfiguration } from '../../../src/protocol/index.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/trust-and-grants.md'), 'utf8');

test('the configuration in docs/trust-and-grants.md is one, and shows every key', () => {
  const texts = [...page.matchAll(/```json\n(\{\n {2}"version": 1,\n.*?)```/gsu)].map((match) => match[1] ?? '');
  expect(texts).not.toEqual([]);
  for (const text of texts) expect(readConfiguration(text, 'example.json')).toMatchObject({ ok: true });
  for (const key of Object.keys(Configuration.shape).filter((name) => name !== '$schema')) {
    expect(texts.join(''), key).toContain(`"${key}"`);
  }
});

test('the page names every key of a grant', () => {
  for (const key of Object.keys(Grant.shape)) expect(page).toContain(`"${key}"`);
});

test('the refusal on the page is the one that is printed', () => {
  const message = grantRemedy(
    [
      { key: 'network', value: 'host' },
      { key: 'env', value: 'CI' },
    ],
    { file: '/home/me/.config/hookcell/config.json', path: ['projects', '/repo/app', 'packs', 'quality'] },
  );
  expect(page.replaceAll('\n', ' ')).toContain(`untrusted: ${message}`);
});
