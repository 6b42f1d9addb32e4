import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanForPeople, cutStart, cutText } from '../../src/protocol/index.ts';

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u009b31mred', 'red'],
  ['a\u001bcb', 'ab'],
  ['unended \u001b]0;still here', 'unended 0;still here'],
  ['a\r\nb\tc\u0000\u0007\u0008', 'a\nb\tc'],
  ['safe\rhidden', 'safehidden'],
  ['a\u202eb\u2066c\u200fd', 'abcd'],
  ['tag\u{e0041}s', 'tags'],
  ['half \ud800', 'half '],
  ['日本 😀 ş', '日本 😀 ş'],
])('cleans %j', (text, cleaned) => {
  expect(cleanForPeople(text)).toBe(cleaned);
});

it('leaves no control character, whatever comes', () => {
  const piece = fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '0;',
    'm',
    '\u0007',
    '\\',
    'a',
    '\n',
    '\u009b',
    '\u202e',
    '\u0090',
    ' ',
    '\ud83d',
    '\ude00',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(cleanForPeople(pieces.join(''))).not.toMatch(
        /[\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u,
      );
    }),
  );
});

it('cuts to the limit with a note and never inside a pair', () => {
  expect(cutText('x'.repeat(10_000))).toHaveLength(10_000);
  const cut = cutText('x'.repeat(10_001));
  expect(cut).toHaveLength(10_000);
  expect(cut).toContain('[cut: 10001 characters]');
  for (const max of [50, 51, 52, 53]) expect(cutText('😀'.repeat(100), max)).not.toMatch(/\p{Surrogate}/u);
  expect(cutText('abcdef', 2).length).toBeLessThanOrEqual(2);
});

it('keeps the end where the end says why', () => {
  expect(cutStart('x'.repeat(10_000))).toHaveLength(10_000);
  const cut = cutStart(`${'x'.repeat(10_001)}\nthe real reason`);
  expect(cut).toHaveLength(10_000);
  expect(cut).toMatch(/^\[cut: 10017 characters\] …x[^]*\nthe real reason$/u);
  for (const max of [50, 51, 52, 53]) expect(cutStart('😀'.repeat(100), max)).not.toMatch(/\p{Surrogate}/u);
});

it('a text of unended control strings is not searched to its end once for each', () => {
  // Quadratic, this took minutes; the test's own deadline ends it then.
  for (const opener of ['\u0090', '\u009d', '\u001b]'])
    expect(cleanForPeople(opener.repeat(300_000))).not.toContain(opener);
});
