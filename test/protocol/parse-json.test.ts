import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, JsonNumber, parseJson, stringifyJson } from '../../src/protocol/index.ts';
import type { JsonValue, ParseJsonFailure } from '../../src/protocol/index.ts';

const strict = { numbers: 'reject-lossy' } as const;
const keep = { numbers: 'keep' } as const;

function valueOf(text: string, options: Parameters<typeof parseJson>[1] = keep): JsonValue {
  const result = parseJson(text, options);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

function failureOf(text: string, options: Parameters<typeof parseJson>[1] = strict): ParseJsonFailure {
  const result = parseJson(text, options);
  if (result.ok) throw new Error(`accepted ${text}`);
  return result;
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parseJson', () => {
  it.each([
    ['', 'invalid_json', 0],
    ['nul', 'invalid_json', 0],
    ['[1,', 'invalid_json', 3],
    ['[1,]', 'invalid_json', 3],
    ['{"a" 1}', 'invalid_json', 5],
    ['{a:1}', 'invalid_json', 1],
    ['01', 'invalid_json', 1],
    ['1.', 'invalid_json', 2],
    ['-', 'invalid_json', 1],
    ['"\\x"', 'invalid_json', 1],
    ['"\\u12"', 'invalid_json', 1],
    ['"a\\', 'invalid_json', 4],
    ['"a\tb"', 'invalid_json', 2],
    ['"\\\\\\q"', 'invalid_json', 3],
    ['\ufeff{}', 'invalid_json', 0],
    ['{"a":1,"a":2}', 'duplicate_key', 7],
    ['{"a":1,"\\u0061":2}', 'duplicate_key', 7],
    ['{} {}', 'multiple_documents', 3],
    ['{}\n{"a":1,"a":2}', 'multiple_documents', 3],
    ['1 2', 'multiple_documents', 2],
    ['{} done', 'invalid_json', 3],
    ['{}}', 'invalid_json', 2],
  ])('refuses %s as %s at %i', (text, cause, offset) => {
    expect(failureOf(text)).toMatchObject({ cause, offset });
  });

  it('says line, column and pointer, and shows stray text escaped', () => {
    expect(failureOf('{\n  "a/b": [1,\n   \u001bx]\n}')).toMatchObject({ line: 3, column: 4, pointer: '/a~1b/1' });
    expect(failureOf('{"a":{}} \u001b[31mé').message).toContain(String.raw`"\u001b[31m\u00e9"`);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s, or keeps it as an own property', (key) => {
    const text = `{"${key}":{"polluted":true}}`;
    expect(failureOf(text)).toMatchObject({ cause: 'invalid_json', pointer: `/${key}` });
    expect(failureOf(text).message).toContain(key);
    const value = valueOf(text, { ...keep, allowPrototypeKeys: true });
    if (!isJsonObject(value)) throw new Error('expected an object');
    expect(Object.keys(value)).toEqual([key]);
    expect(value['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe(text);
    expect(failureOf(`{"${key}":1,"${key}":2}`, { ...keep, allowPrototypeKeys: true }).cause).toBe('duplicate_key');
  });

  it('bounds the depth, and never overflows the stack', () => {
    expect(parseJson(nested(64), strict).ok).toBe(true);
    expect(failureOf(nested(65)).message).toContain('64 levels');
    expect(failureOf('['.repeat(1_000_000), { ...strict, maxDepth: Infinity }).cause).toBe('invalid_json');
    expect(failureOf('{"a":'.repeat(200_000)).pointer).toBe('/a'.repeat(64));
  });

  it.each(['9007199254740993', '1e400', '0.1000000000000000055', '1e-400', '123456789012345678901234567890', '-1E999'])(
    'keeps the text of %s in an event and refuses it in an answer',
    (text) => {
      expect(valueOf(text)).toEqual(new JsonNumber(text));
      expect(stringifyJson(valueOf(`[${text}]`))).toBe(`[${text}]`);
      expect(failureOf(text).message).toContain(text);
    },
  );

  it.each(['1.0', '1E2', '-0', '1e0', '0.10', '0e99999999999999999999', '10000000000000000000000'])(
    'keeps the text of %s in an event and takes its value in an answer',
    (text) => {
      expect(stringifyJson(valueOf(text))).toBe(text);
      expect(valueOf(text, strict)).toBe(JSON.parse(text));
    },
  );

  it('refuses half of a surrogate pair in an answer and keeps it in an event', () => {
    expect(failureOf(String.raw`"\ud800"`).message).toContain('surrogate');
    expect(valueOf(String.raw`"\ud83d\ude00"`, strict)).toBe('😀');
    expect(stringifyJson(valueOf(String.raw`{"a":"\ud800"}`))).toBe(String.raw`{"a":"\ud800"}`);
  });

  it('agrees with JSON.parse on every value that it accepts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const result = parseJson(text, { ...strict, allowPrototypeKeys: true });
        if (result.ok) expect(result.value).toEqual(JSON.parse(text));
        else expect(['duplicate_key', 'invalid_json']).toContain(result.cause);
      }),
    );
  });

  it('accepts nothing that JSON.parse refuses, and never throws', () => {
    const piece = fc.constantFrom(
      ...'{}[]",:\\ueE+-.0129 \n\t\u0001'.split(''),
      'true',
      'null',
      '"a"',
      '"a":',
      '\ud800',
      '\\u00',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = pieces.join('');
        for (const options of [strict, keep]) {
          if (parseJson(text, options).ok) expect(() => JSON.parse(text) as unknown).not.toThrow();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back the exact text of compact JSON, numbers included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyJson(valueOf(text, { ...keep, allowPrototypeKeys: true }))).toBe(text);
      }),
    );
  });

  it('reads hostile repetitions in linear time', () => {
    const many = 300_000;
    for (const text of [
      '"\\'.repeat(many),
      `"${'\\u0041'.repeat(many)}"`,
      '0'.repeat(many),
      `0.${'0'.repeat(many)}1`,
      `[${'{"a":1},'.repeat(many)}`,
    ]) {
      expect(() => parseJson(text, keep)).not.toThrow();
      expect(() => parseJson(text, strict)).not.toThrow();
    }
  }, 60_000);
});

describe('parseJson of a text that may hold secrets', () => {
  it('tells one character of what is no JSON, wherever in a secret the reading ends', () => {
    const secret = 'correct-horse-battery';
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.constantFrom('', 'x', '"', String.raw`\q`, '1'), (cut, stray) => {
        const text = `{"a":{"b":"${secret}"}}`;
        const at = Math.min(cut, text.length);
        const result = parseJson(text.slice(0, at) + stray + text.slice(at), { ...keep, secretValues: [secret] });
        if (!result.ok) expect(result.message + result.pointer).not.toMatch(/corr|rect|hors|batt|tery/u);
      }),
    );
  });

  it('redacts keys, and says where they are all the same', () => {
    const failure = failureOf('{"my-secret":{"b":tru}}', { ...keep, secretValues: ['my-secret'] });
    expect(failure).toMatchObject({
      pointer: '/[REDACTED:secret-value]/b',
      message: expect.stringContaining('got "t"'),
    });
  });
});
