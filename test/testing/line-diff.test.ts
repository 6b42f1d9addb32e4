import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from '../../src/testing/line-diff.ts';

const long = (word: string): string => Array.from({ length: 3000 }, (_, index) => `${word}${index}`).join('\n');
const text = fc.array(fc.constantFrom('a', 'b', '', ' x'), { minLength: 1, maxLength: 12 });

test('nothing differs from itself, and whatever differs is shown', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before.join('\n'), after.join('\n'));
      expect(lines.length === 0).toBe(before.join('\n') === after.join('\n'));
      const side = (mark: string): string[] =>
        lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).map((line) => line.slice(2));
      // Texts this short are shown whole when changes are near each other, so both sides can be read off.
      if (lines.length === 0 || lines.includes('  …')) return;
      expect(side('-')).toEqual(before);
      expect(side('+')).toEqual(after);
    }),
  );
});

test('three lines around a change, and a mark for the rest', () => {
  const before = Array.from({ length: 20 }, (_, index) => `l${index}`);
  const after = before.map((line) => (line === 'l10' ? 'new' : line));
  expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual([
    '  …',
    '  l7',
    '  l8',
    '  l9',
    '- l10',
    '+ new',
    '  l11',
    '  l12',
    '  l13',
    '  …',
  ]);
});

test('texts too long to compare line by line are shown one after the other', () => {
  const lines = lineDiff(long('a'), long('b'));
  expect(lines).toHaveLength(6000);
  expect(lines.findIndex((line) => line.startsWith('+'))).toBe(3000);
});
