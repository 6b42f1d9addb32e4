import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchGlob } from '../../src/authoring/index.ts';

test.each([
  ['*', '', true],
  ['*.env', 'config/.ENV', true],
  ['src/*', 'src/a/b', true],
  ['src/*', 'lib/src/a', false],
  ['a*a', 'a', false],
  ['a?', 'ab', false],
  ['Σ', 'ς', true],
])('%s on %s: %s', (pattern, text, expected) => {
  expect(matchGlob(pattern, text)).toBe(expected);
});

test('a glob is the regular expression that says the same', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'B', '/', '*'), maxLength: 8 });
  fc.assert(
    fc.property(words, words, (pattern, text) => {
      const source = pattern.split('*').join('[^]*');
      expect(matchGlob(pattern, text)).toBe(new RegExp(`^${source}$`, 'iu').test(text));
    }),
  );
});

test('a hostile pattern comes back', () => {
  expect(matchGlob(`${'*a'.repeat(2_000)}b`, 'a'.repeat(20_000))).toBe(false);
});
