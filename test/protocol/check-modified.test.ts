import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isJsonObject,
  JsonNumber,
  parseJson,
  redactEvent,
  restoreModified,
  stringifyJson,
} from '../../src/protocol/index.ts';
import type { JsonObject, JsonValue } from '../../src/protocol/index.ts';
import { credentials } from './redact/planted-secrets.ts';

const { secret } = credentials.github;

function objectIn(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('expected an object');
  return value;
}

function textIn(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('expected text');
  return value;
}

const original: JsonObject = {
  command: `curl -H "token: ${secret}" https://good.example`,
  password: 'hunter2',
  pin: { secret: 1234 },
  list: [`a ${secret}`, 'b'],
  big: new JsonNumber('1.0'),
  path: 'a.txt',
};
const { data, nonce } = redactEvent({ data: { input: original }, context: {} }, { nonce: 'q7W' });
const sent = objectIn(data['input']);
const list = Array.isArray(sent['list']) ? sent['list'].map(textIn) : [];
const answer = (answered: JsonValue) => restoreModified({ sent, original, answered, nonce });
/** What a handler makes of it: JSON through its own hands. */
const through = (value: JsonObject) => read(stringifyJson(value));
const read = (text: string) => {
  const parsed = parseJson(text, { numbers: 'reject-lossy', allowPrototypeKeys: true });
  if (!parsed.ok) throw new Error(parsed.message);
  return objectIn(parsed.value);
};

describe('restoreModified', () => {
  it('puts the secrets back into an unchanged field, also its numbers as they were written', () => {
    expect(answer(through(sent))).toEqual({ ok: true, value: original, touchedBesideSecrets: false });
    const reversed = Object.fromEntries(Object.entries(through(sent)).toReversed());
    expect(answer(reversed)).toMatchObject({ ok: true, touchedBesideSecrets: false });
  });

  it.each<[string, JsonValue]>([
    ['another value', { ...sent, path: 'b.txt' }],
    ['a new key', { ...sent, extra: 1 }],
    ['a missing key', Object.fromEntries(Object.entries(sent).filter(([key]) => key !== 'path'))],
    ['a dropped marker', { ...sent, password: 'other' }],
    ['a longer list', { ...sent, list: [...list, 'c'] }],
    ['a shorter list', { ...sent, list: [list[0] ?? ''] }],
    ['another number', { ...sent, big: 2 }],
    ['nothing left', {}],
    ['another type', 'text'],
  ])('says that something beside the secrets was touched: %s', (_name, answered) => {
    expect(answer(answered)).toMatchObject({ ok: true, touchedBesideSecrets: true });
  });

  it('keeps the secrets beside a change', () => {
    expect(answer({ ...sent, path: 'b.txt' })).toMatchObject({ value: { ...original, path: 'b.txt' } });
  });

  const command = textIn(sent['command']);
  const password = textIn(sent['password']);
  it.each<[string, JsonValue, string]>([
    ['an edited string around it', { ...sent, command: command.replace('good', 'evil') }, '/command'],
    ['white space after it', { ...sent, password: `${password} ` }, '/password'],
    ['another place', { ...sent, path: password }, '/path'],
    ['a copy', { ...sent, copy: password }, '/copy'],
    ['two swapped', { ...sent, password: command, command: password }, '/command'],
    ['another index', { ...sent, list: ['b', list[0] ?? ''] }, '/list/1'],
    ['a key', { ...sent, [password]: 1 }, ''],
    ['a fragment', { ...sent, path: 'x#q7W-' }, '/path'],
    ['another number of the marker', { ...sent, password: password.replace(/\d+\]/, '99]') }, '/password'],
    ['deep in something new', { ...sent, path: { a: [{ b: password }] } }, '/path/a/0/b'],
    ['under another type', { ...sent, password: [password] }, '/password/0'],
    ['in place of the field', password, ''],
  ])('refuses a marker that was moved: %s', (_name, answered, place) => {
    const result = answer(answered);
    expect(result).toMatchObject({ ok: false, cause: 'redacted_value_moved' });
    expect(!result.ok && result.message).toContain(place);
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  it('leaves a field without secrets alone', () => {
    const field = { a: 1 };
    expect(restoreModified({ sent: field, original: field, answered: { a: 2 }, nonce })).toEqual({
      ok: true,
      value: { a: 2 },
      touchedBesideSecrets: false,
    });
    expect(
      restoreModified({ sent: undefined, original: undefined, answered: { a: '[REDACTED:x]' }, nonce }),
    ).toMatchObject({ ok: true });
    expect(restoreModified({ sent: undefined, original: undefined, answered: { a: password }, nonce })).toMatchObject({
      ok: false,
    });
  });

  it('keeps a __proto__ key an own property', () => {
    const result = answer(read('{"__proto__":{"polluted":1}}'));
    expect(result.ok && JSON.stringify(result.value)).toBe('{"__proto__":{"polluted":1}}');
    expect(result.ok && objectIn(result.value)['polluted']).toBeUndefined();
  });
});

it('never gives a secret back anywhere but where it stood', () => {
  const text = fc.constantFrom(
    ...Object.values(sent).filter((value) => typeof value === 'string'),
    'x',
    secret.slice(0, 5),
  );
  const key = fc.constantFrom(...Object.keys(sent), 'new');
  const edit = fc.tuple(text, fc.constantFrom('', ' ', 'evil'), text).map(([one, glue, other]) => one + glue + other);
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(text, edit, fc.array(text), fc.dictionary(key, text))), (changes) => {
      const result = answer({ ...sent, ...changes });
      if (!result.ok) return;
      for (const [name, value] of Object.entries(objectIn(result.value))) {
        const holdsSecret = /hunter2|ghp_a1B2c3D4e5/.test(JSON.stringify(value));
        if (holdsSecret) expect(value).toEqual(original[name]);
      }
      expect(JSON.stringify(result.value)).not.toContain(nonce);
    }),
    { numRuns: 2_000 },
  );
});
