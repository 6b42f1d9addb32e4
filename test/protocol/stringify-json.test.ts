import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonFromUnknown, JsonNumber, stringifyJson } from '../../src/protocol/index.ts';

it('writes numbers verbatim, at any place', () => {
  expect(stringifyJson(new JsonNumber('1E2'))).toBe('1E2');
  expect(stringifyJson({ a: [new JsonNumber('9007199254740993'), 1, 'x', null, true], 'b"': {} })).toBe(
    '{"a":[9007199254740993,1,"x",null,true],"b\\"":{}}',
  );
});

it('escapes every non-ASCII character on request', () => {
  expect(stringifyJson({ ş: '表"😀' }, { ascii: true })).toBe(String.raw`{"\u015f":"\u8868\"\ud83d\ude00"}`);
});

it('agrees with JSON.parse, with and without ascii, with and without kept numbers', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (json, ascii) => {
      const parsed = jsonFromUnknown(JSON.parse(json));
      if (!parsed.ok) throw new Error(parsed.message);
      const wrapped = [parsed.value, new JsonNumber('1.0')];
      const text = stringifyJson(wrapped, { ascii });
      expect(JSON.parse(text)).toEqual([JSON.parse(json), 1]);
      expect(text.endsWith(',1.0]')).toBe(true);
      if (ascii) expect(text).toMatch(/^[\0-\u007f]*$/);
    }),
  );
});
