import { expect, test } from 'vitest';
import { impliedNames, mainOf } from '../../../src/executor/trust/implied-names.ts';

test.each<[string, readonly string[]]>([
  ['check', ['check.js', 'check.py', 'check/package.json', 'check/index.js', 'check/__main__.py']],
  ['./lib/check', ['./lib/check.mjs', './lib/check/index.js']],
  ['checks.guard', ['checks/guard.py', 'checks/guard/__main__.py', 'checks.guard.js']],
  ['-mchecks.guard', ['checks.guard.py']],
  ['-r', []],
])('of %s', (word, expected) => {
  const names = impliedNames(word);
  expect(names).toEqual(expect.arrayContaining([...expected]));
  expect(names.length > 0).toBe(expected.length > 0);
});

test.each<[string, string | undefined]>([
  ['{"main":"lib/run.js"}', 'lib/run.js'],
  ['{}', undefined],
  ['{"main":{}}', undefined],
  ['null', undefined],
  ['{', undefined],
])('main of %s', (text, expected) => {
  expect(mainOf(text)).toBe(expected);
});
