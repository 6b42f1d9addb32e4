import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, idempotencyText, isJsonObject, JsonNumber, parseJson } from '../../src/protocol/index.ts';

it('is the RFC 8785 form', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000f\u000aA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

it('says the same value in the same text, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const options = { numbers: 'keep', allowPrototypeKeys: true } as const;
      const parsed = parseJson(text, options);
      if (!parsed.ok || !isJsonObject(parsed.value)) return;
      const canonical = canonicalJson(parsed.value);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      const again = parseJson(canonical, options);
      expect(again.ok && canonicalJson(again.value)).toBe(canonical);
      const reversed = Object.fromEntries(Object.entries(parsed.value).toReversed());
      expect(canonicalJson(reversed)).toBe(canonical);
    }),
  );
});

it('sorts keys by UTF-16 code units', () => {
  expect(canonicalJson({ '\ufb33': 1, '😀': 2, a: 3, '1': 4, __proto_: 5 })).toBe(
    '{"1":4,"__proto_":5,"a":3,"😀":2,"\ufb33":1}',
  );
});

const of = (text: string) => canonicalJson(new JsonNumber(text));

it('writes equal numbers alike and different ones apart', () => {
  expect(of('1.0')).toBe('1');
  expect(of('-0')).toBe('0');
  expect(of('1E400')).toBe(of('10e399'));
  expect(of('9007199254740993')).not.toBe(canonicalJson(9007199254740992));
  expect(of('1e99999999999999999999')).not.toBe(of('1e99999999999999999998'));
});

it('keeps the parts of an idempotency key apart', () => {
  const parts = {
    project: 'p',
    session: 's',
    eventId: 'e',
    event: 'tool:before',
    eventHash: 'h',
    packHash: 'k',
    hookId: 'i',
  };
  expect(idempotencyText(parts)).toBe('["p","s","e","tool:before","h","k","i"]');
  expect(idempotencyText({ ...parts, project: 'p","s', session: '' })).not.toBe(idempotencyText(parts));
});
