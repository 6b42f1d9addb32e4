import { expect, test } from 'vitest';
import { assemble, type Statement } from '../../../src/sandbox/seccomp/bpf.ts';

const RETURN: Statement = { op: 'return', value: 0x7fff0000 };
const jump = (match: string): Statement => ({ op: 'jump-if', test: 'equal', value: 1, match });

test('encodes struct sock_filter, little endian', () => {
  const bytes = assemble([
    { op: 'load', offset: 4 },
    { op: 'jump-if', test: 'at-least', value: 0x40000000, otherwise: 'end' },
    { op: 'and', value: 0xff },
    { op: 'label', name: 'end' },
    RETURN,
  ]);
  expect([...bytes]).toEqual(
    [
      [0x20, 0, 0, 0, 4, 0, 0, 0],
      [0x35, 0, 0, 1, 0, 0, 0, 0x40],
      [0x54, 0, 0, 0, 0xff, 0, 0, 0],
      [0x06, 0, 0, 0, 0, 0, 0xff, 0x7f],
    ].flat(),
  );
});

test('refuses what the kernel would refuse', () => {
  expect(() => assemble([])).toThrow(/expected 1 to 4096 instructions, got 0/);
  expect(() => assemble(Array.from({ length: 4097 }, () => RETURN))).toThrow(/got 4097/);
  expect(() => assemble([jump('nowhere'), RETURN])).toThrow(/unknown label "nowhere"/);
  expect(() => assemble([{ op: 'label', name: 'a' }, jump('a'), RETURN])).toThrow(/got -1/);
  expect(() => assemble([{ op: 'label', name: 'a' }, { op: 'label', name: 'a' }, RETURN])).toThrow(/twice/);
});

const programOf = (between: number): Statement[] => [
  jump('end'),
  ...Array.from({ length: between }, () => RETURN),
  { op: 'label', name: 'end' },
  RETURN,
];

test('takes the longest jump and refuses one more', () => {
  expect(assemble(programOf(255))[2]).toBe(255);
  expect(() => assemble(programOf(256))).toThrow(/got 256/);
});
