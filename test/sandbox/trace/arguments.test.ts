import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { descriptorPath, splitArguments, stringOf, stringsIn } from '../../../src/sandbox/trace/arguments.ts';

const split = (text: string) => splitArguments(text, 0)?.args;

describe('arguments are split', () => {
  test.each([
    ['AT_FDCWD</work>, "a.txt", O_RDONLY) = 3', ['AT_FDCWD</work>', '"a.txt"', 'O_RDONLY']],
    [
      '"/bin/sh", ["sh", "-c", "a, b)"], 0x7f /* 3 vars */) = 0',
      ['"/bin/sh"', '["sh", "-c", "a, b)"]', '0x7f /* 3 vars */'],
    ],
    ['{fd=3<pipe:[12]>, events=POLLIN}, 1) = 0', ['{fd=3<pipe:[12]>, events=POLLIN}', '1']],
    ['3</repo/a,b)>, "x") = 1', ['3</repo/a,b)>', '"x"']],
    ['1<<26, 5) = 0', ['1<<26', '5']],
    ['"quote \\" and paren )", 1) = 0', ['"quote \\" and paren )"', '1']],
    [') = 7', []],
  ])('%s', (text, args) => {
    expect(split(text)).toEqual(args);
  });

  test.each(['"never closed', '3</never', '[1, 2', ''])('not at all when they have no end: %s', (text) => {
    expect(split(text)).toBeUndefined();
  });
});

test.each([
  ['"a\\"b\\\\c\\n\\t\\1\\33"', 'a"b\\c\n\t\u0001\u001b'],
  ['"gr\\303\\274n"', 'grün'],
  ['"\\x41"', 'A'],
  ['"cut"...', 'cut'],
])('the string %s is decoded', (argument, text) => {
  expect(stringOf(argument)).toBe(text);
});

test('what is no string is none', () => {
  expect([stringOf('0x7ffd'), stringOf('NULL'), stringOf(undefined)]).toEqual([undefined, undefined, undefined]);
});

test('descriptors say what they stand for, when they do', () => {
  expect(descriptorPath('AT_FDCWD</repo/a\\76b>')).toBe('/repo/a>b');
  expect(descriptorPath('3</srv>')).toBe('/srv');
  expect(descriptorPath('1<pipe:[7]>')).toBeUndefined();
  expect(descriptorPath('AT_FDCWD')).toBeUndefined();
});

/** As strace writes it. */
function escaped(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (character === '"' || character === '\\') return `\\${character}`;
      return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}

/** What UTF-8 can carry. */
function wellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

test('whatever stands in a string, it stays one argument and comes back whole', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (texts) => {
      const line = `${texts.map((text) => `"${escaped(text)}"`).join(', ')}) = 0`;
      const args = splitArguments(line, 0)?.args ?? [];
      expect(args.map((argument) => stringOf(argument))).toEqual(texts.map((text) => wellFormed(text)));
      expect(stringsIn(args.join(' '))).toEqual(texts.map((text) => wellFormed(text)));
    }),
  );
});
