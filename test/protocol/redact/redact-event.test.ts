import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, JsonNumber, parseJson, redactEvent, stringifyJson } from '../../../src/protocol/index.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/index.ts';
import { credentials } from './planted-secrets.ts';

const nonce = 'n0nce7Q';
const redact = (data: JsonObject, options: Partial<Parameters<typeof redactEvent>[1]> = {}) =>
  redactEvent({ data, context: {} }, { nonce, ...options });

/** An event as it is read. */
function event(text: string): JsonObject {
  const parsed = parseJson(text, { numbers: 'keep', allowPrototypeKeys: true });
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`no event: ${text}`);
  return parsed.value;
}

describe('redactEvent', () => {
  it('replaces by key and by value, with unique markers, pointers and kinds', () => {
    const { secret } = credentials.github;
    const { data, redacted, originals } = redact({
      input: { apiKey: 'abc', 'a/b': [`x ${secret} y ${secret}`], max_tokens: 5, path: 'a.txt' },
    });
    expect(data).toEqual({
      input: {
        apiKey: '[REDACTED:api-key#n0nce7Q-1]',
        'a/b': ['x [REDACTED:github-token#n0nce7Q-2] y [REDACTED:github-token#n0nce7Q-3]'],
        max_tokens: 5,
        path: 'a.txt',
      },
    });
    expect(redacted).toEqual([
      { pointer: '/hook/data/input/apiKey', kind: 'api-key' },
      { pointer: '/hook/data/input/a~1b/0', kind: 'github-token' },
      { pointer: '/hook/data/input/a~1b/0', kind: 'github-token' },
    ]);
    expect([...originals]).toEqual([
      ['/hook/data/input/apiKey', 'abc'],
      ['/hook/data/input/a~1b/0', `x ${secret} y ${secret}`],
    ]);
  });

  it('covers the scalars under a secret key, through arrays and objects, and keeps the shape', () => {
    const { data } = redact({
      token: [1, 'x', [new JsonNumber('1.0')], { a: 'b', c: {} }, true, null, ''],
      cookies: { theme: 'dark' },
    });
    expect(stringifyJson(data)).toBe(
      '{"token":["[REDACTED:token#n0nce7Q-1]","[REDACTED:token#n0nce7Q-2]",["[REDACTED:token#n0nce7Q-3]"],' +
        '{"a":"[REDACTED:token#n0nce7Q-4]","c":{}},true,null,""],"cookies":{"theme":"[REDACTED:cookie#n0nce7Q-5]"}}',
    );
  });

  it('takes the names of headers and variables for keys, as members, as pairs and in a raw list', () => {
    const { data, redacted } = redact({
      list: [
        { name: 'Authorization', value: 'v1' },
        { key: 'STRIPE_KEY', value: { deep: 'v2' } },
      ],
      pairs: [
        ['Accept', 'text/plain'],
        ['Set-Cookie', 'v3'],
      ],
      rawHeaders: ['Host', 'h', 'X-Api-Key', 'v4'],
      pwd: 'v5',
      auth: 'user:v6',
    });
    expect(JSON.stringify(data)).not.toMatch(/v\d/);
    expect(redacted.map(({ pointer }) => pointer)).toEqual([
      '/hook/data/list/0/value',
      '/hook/data/list/1/value/deep',
      '/hook/data/pairs/1/1',
      '/hook/data/rawHeaders/3',
      '/hook/data/pwd',
      '/hook/data/auth',
    ]);
    expect(data['pairs']).toEqual([
      ['Accept', 'text/plain'],
      ['Set-Cookie', '[REDACTED:cookie#n0nce7Q-3]'],
    ]);
    expect(data['rawHeaders']).toEqual(['Host', 'h', 'X-Api-Key', '[REDACTED:api-key#n0nce7Q-4]']);
  });

  it('does not take every list of words for names and values', () => {
    const plain: JsonObject = {
      required: ['password', 'email'],
      allowedHeaders: ['Authorization', 'Content-Type'],
      fields: [{ name: 'password', type: 'string', description: 'Your password' }],
      keys: [{ key: 'Enter', value: 'x' }],
      matrix: [['token', 'a', 'b']],
      session_id: '0123456789abcdef0123',
      pwd: '/home/a',
      auth: { type: 'basic', user: 'a' },
    };
    expect(redact(plain).data).toBe(plain);
  });

  it('leaves a description of a secret, but not a secret in it', () => {
    const schema = { properties: { password: { type: 'string', description: 'The password', minLength: 8 } } };
    expect(redact({ schema }).data).toEqual({ schema });
    const { data } = redact({ password: { type: 'string', default: 'hunter2' } });
    expect(data).toEqual({ password: { type: 'string', default: '[REDACTED:password#n0nce7Q-1]' } });
  });

  it('redacts the context, but not its session id', () => {
    const { secret } = credentials.npm;
    const result = redactEvent({ data: {}, context: { sessionId: 's1', cwd: `/tmp/${secret}` } }, { nonce });
    expect(result.context).toEqual({ sessionId: 's1', cwd: '/tmp/[REDACTED:npm-token#n0nce7Q-1]' });
    expect(result.redacted[0]?.pointer).toBe('/context/cwd');
  });

  it('takes another nonce when the event holds it, in a string or in a key', () => {
    const { data, nonce: used } = redact({ note: 'n0nce7Q', n0nce7Qx1: 1, password: 'p' });
    expect(used).toBe('n0nce7Qx2');
    expect(data['password']).toBe('[REDACTED:password#n0nce7Qx2-1]');
    expect(() => redact({}, { nonce: 'a b' })).toThrow('nonce');
  });

  it('reveals what was granted, and says so', () => {
    const whole = { input: { token: { a: 'x' }, tokenb: 'y', password: 'p', path: 'f' } };
    const { data, revealed, redacted } = redact(whole, {
      reveal: ['/hook/data/input/token', '/hook/data/input/path', ''],
    });
    expect(revealed).toEqual(['/hook/data/input/token/a']);
    expect(redacted.map(({ pointer }) => pointer)).toEqual(['/hook/data/input/password']);
    expect(data).toMatchObject({ input: { token: { a: 'x' }, path: 'f' } });
  });

  it('replaces named values in strings and as numbers', () => {
    const { data } = redact(
      { a: 12345678, b: new JsonNumber('12345678901234567890'), c: 'x-12345678-y', d: 1 },
      {
        secretValues: ['12345678', '12345678901234567890'],
      },
    );
    expect(stringifyJson(data)).toBe(
      '{"a":"[REDACTED:secret-value#n0nce7Q-1]","b":"[REDACTED:secret-value#n0nce7Q-2]","c":"x-[REDACTED:secret-value#n0nce7Q-3]-y","d":1}',
    );
  });

  it('keeps a __proto__ key an own property', () => {
    const data = event('{"__proto__":{"password":"x"},"a":1}');
    const result = redact(data).data;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"password":"[REDACTED:password#n0nce7Q-1]"},"a":1}');
    expect(result['password']).toBeUndefined();
  });

  it('does not change its input and shares what is clean', () => {
    const whole = { clean: { a: ['b'] }, password: 'p' };
    const before = JSON.stringify(whole);
    expect(redact(whole).data['clean']).toBe(whole.clean);
    expect(JSON.stringify(whole)).toBe(before);
  });
});

/** The same tree with every scalar as its type: what redaction must not change, but for the replaced ones. */
function shape(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map((item: JsonValue) => shape(item));
  if (typeof value !== 'object' || value === null) return 'scalar';
  return Object.entries(value).map(([key, item]: [string, JsonValue]) => [key, shape(item)]);
}

const planted = fc.constantFrom(...Object.values(credentials).map((one: { secret: string; text?: string }) => one));
const secretKey = fc.constantFrom('password', 'apiKey', 'Set-Cookie', 'CLIENT_SECRET', 'authToken', 'credentials');
const tree = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })).map((data) => event(JSON.stringify(data)));

describe('redaction, on any event', () => {
  it('never lets a planted credential through and never changes the shape', () => {
    fc.assert(
      fc.property(tree, fc.string(), planted, fc.string(), (data, before, { secret, text }, after) => {
        const whole: JsonObject = { ...data, planted: [{ text: `${before} ${text ?? secret} ${after}` }] };
        const result = redact(whole);
        expect(JSON.stringify(result.data)).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(shape(result.data)).toEqual(shape(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('never lets a value under a secret key, or a named value, through', () => {
    const secret = fc.stringMatching(/^[!-~]{8,40}$/).map((text) => `§${text}`);
    fc.assert(
      fc.property(tree, secretKey, secret, secret, fc.string(), (data, key, keyed, named, around) => {
        fc.pre(!keyed.includes(named));
        const whole: JsonObject = { ...data, [key]: [{ deep: keyed }], other: around + named + around };
        const result = redact(whole, { secretValues: [named] });
        const text = JSON.stringify(result.data);
        expect(text).not.toContain(JSON.stringify(keyed).slice(1, -1));
        expect(text).not.toContain(JSON.stringify(named).slice(1, -1));
        expect(shape(result.data)).toEqual(shape(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('never lets a value through that a name beside it announces', () => {
    const name = fc.constantFrom('Authorization', 'Cookie', 'X-Api-Key', 'OPENAI_KEY', 'ｐａｓｓｗｏｒｄ');
    const secret = fc.stringMatching(/^[!-~]{8,40}$/).map((text) => `§${text}`);
    const shapes = fc.constantFrom(
      (key: string, value: JsonValue): JsonValue => [{ name: key, value }],
      (key: string, value: JsonValue): JsonValue => ({ value, header: key }),
      (key: string, value: JsonValue): JsonValue => [
        ['a', 'b'],
        [key, value],
      ],
      (key: string, value: JsonValue): JsonValue => ({ rawHeaders: ['a', 'b', key, value] }),
      (key: string, value: JsonValue): JsonValue => ({ [key]: value }),
    );
    fc.assert(
      fc.property(tree, name, secret, shapes, (data, key, value, shaped) => {
        const whole: JsonObject = { ...data, planted: shaped(key, value) };
        const result = redact(whole);
        expect(JSON.stringify(result.data)).not.toContain(JSON.stringify(value).slice(1, -1));
        expect(shape(result.data)).toEqual(shape(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('has one entry a marker, in order, and an original for each pointer', () => {
    fc.assert(
      fc.property(tree, planted, (data, { secret, text }) => {
        const {
          data: sent,
          redacted,
          originals,
        } = redact({ ...data, p: `${text ?? secret} ${text ?? secret}`, token: 't' });
        const markers = JSON.stringify(sent).match(/\[REDACTED:[a-z-]+#n0nce7Q-\d+\]/g) ?? [];
        expect(markers).toHaveLength(redacted.length);
        expect(new Set(markers).size).toBe(markers.length);
        expect(new Set(redacted.map(({ pointer }) => pointer))).toEqual(new Set(originals.keys()));
      }),
    );
  });
});
