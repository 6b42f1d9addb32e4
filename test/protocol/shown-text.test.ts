import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownPath, visibleText } from '../../src/protocol/index.ts';

describe('a path in a message', () => {
  test.each<[string, string]>([
    ['.hookcell/hooks/p.json', '.hookcell/hooks/p.json'],
    ['règles/à lire.txt', 'règles/à lire.txt'],
    ['a\nb', String.raw`"a\nb"`],
    [' a', '" a"'],
    ['a\u001b[2J', String.raw`"a\u001b[2J"`],
    ['\u202etxt.exe', String.raw`"\u{202e}txt.exe"`],
    ['\u0430.sh', String.raw`"\u{430}.sh"`],
    ['re\u0301.sh', String.raw`"re\u{301}.sh"`],
    ['\u{1f4a9}', String.raw`"\u{1f4a9}"`],
    [String.raw`"\u{1f4a9}"`, String.raw`"\"\\u{1f4a9}\""`],
  ])('%j', (path, shown) => {
    expect(shownPath(path)).toBe(shown);
  });

  test('is one line of printable characters whatever it is, and different for different paths', () => {
    const path = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(shownPath(one)).toMatch(/^[\u0020-\u007e\p{Script=Latin}]+$/u);
        expect(shownPath(one) === shownPath(other)).toBe(one === other);
      }),
    );
  });
});

describe('a text in a difference', () => {
  test.each<[string, string]>([
    ['a\tb\n', 'a\tb\n'],
    ['a\r\n', 'a\\u{d}\n'],
    ['\u001b[2Ja', String.raw`\u{1b}[2Ja`],
    ['a\u200bb\u00a0c', String.raw`a\u{200b}b\u{a0}c`],
    ['\u2066if\u2069', String.raw`\u{2066}if\u{2069}`],
    ['\u3164 = 1', String.raw`\u{3164} = 1`],
    ['a\ufe0f\u{e0041}', String.raw`a\u{fe0f}\u{e0041}`],
    ['Grüße, 日本, \u{1f600}', 'Grüße, 日本, \u{1f600}'],
  ])('%j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});
