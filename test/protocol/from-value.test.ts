import { expect, it } from 'vitest';
import { JsonNumber, jsonFromUnknown } from '../../src/protocol/index.ts';

it('copies plain data', () => {
  const value = {
    a: [1, 'x', null, true, undefined],
    b: undefined,
    c: 2n ** 64n,
    d: 5n,
    e: Object.assign(Object.create(null), { f: 1 }),
  };
  expect(jsonFromUnknown(value)).toEqual({
    ok: true,
    value: { a: [1, 'x', null, true, null], c: new JsonNumber('18446744073709551616'), d: 5, e: { f: 1 } },
  });
});

it('keeps a __proto__ key as an own property', () => {
  const result = jsonFromUnknown(JSON.parse('{"__proto__":{"x":1}}'));
  expect(result).toMatchObject({ ok: true });
  if (result.ok) expect(JSON.stringify(result.value)).toBe('{"__proto__":{"x":1}}');
});

const claim = (length: number) => (target: readonly unknown[], key: string | symbol) =>
  key === 'length' ? length : Reflect.get(target, key);
/** Each index holds `undefined`. */
const absent = () => ({ value: undefined, writable: true, enumerable: true, configurable: true });

let called = false;
const cycle: Record<string, unknown> = {};
cycle['self'] = [cycle];
const hostile = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('trap');
    },
  },
);
const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);

it.each([
  [
    'a getter',
    {
      a: {
        get b() {
          called = true;
          return 1;
        },
      },
    },
    '/a/b',
    'accessor',
  ],
  ['a cycle', cycle, '/self/0', 'cycle'],
  ['NaN', [Number.NaN], '/0', 'NaN'],
  ['Infinity', { a: Infinity }, '/a', 'Infinity'],
  ['a Date', { at: new Date(0) }, '/at', 'Date'],
  ['a Map', { a: new Map() }, '/a', 'Map'],
  ['a Set', new Set(), '', 'Set'],
  ['bytes', { a: new Uint8Array(2) }, '/a', 'Uint8Array'],
  ['a function', { toJSON: () => 1 }, '/toJSON', 'function'],
  ['a symbol', { 'a/b': Symbol('x') }, '/a~1b', 'symbol'],
  ['a symbol key', { [Symbol('x')]: 1 }, '', 'Symbol(x)'],
  ['a hole', [1, , 2], '/1', 'hole'], // oxlint-disable-line no-sparse-arrays
  ['a huge hole', Object.assign([], { length: 4_000_000_000 }), '/0', 'hole'],
  ['undefined', undefined, '', 'undefined'],
  ['depth', deep(65), '/0'.repeat(64), '64 levels'],
  ['a hostile proxy', { a: hostile }, '/a', 'threw'],
])('refuses %s and says where', (_name, value, pointer, words) => {
  const result = jsonFromUnknown(value);
  expect(result).toMatchObject({ ok: false, pointer });
  if (!result.ok) expect(result.message).toContain(words);
  expect(called).toBe(false);
});

it.each([
  ['a proxy that claims an endless array', new Proxy([], { get: claim(Infinity), getOwnPropertyDescriptor: absent })],
  ['a proxy that claims 2^53 items', { a: new Proxy([], { get: claim(2 ** 53), getOwnPropertyDescriptor: absent }) }],
  ['an array of undefined', Array.from({ length: 2_000_000 })],
  ['keys without a value', Object.fromEntries(Array.from({ length: 1_100_000 }, (_, n) => [`k${n}`, undefined]))],
  [
    'hidden keys',
    Object.defineProperties(
      {},
      Object.fromEntries(Array.from({ length: 1_100_000 }, (_, n) => [`k${n}`, { value: 1, enumerable: false }])),
    ),
  ],
])(
  'counts what becomes null or is left out: %s is refused before it fills the memory',
  (_name, value) => {
    const result = jsonFromUnknown(value);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('1000000 values') });
  },
  60_000,
);

it('copies an object that stands in two places twice', () => {
  const shared = { a: 1 };
  expect(jsonFromUnknown([shared, { b: shared }])).toEqual({ ok: true, value: [{ a: 1 }, { b: { a: 1 } }] });
});

it('does not unfold shared references without end', () => {
  let shared: unknown = 'x';
  for (let n = 0; n < 60; n += 1) shared = [shared, shared];
  expect(jsonFromUnknown(shared)).toMatchObject({ ok: false, message: expect.stringContaining('1000000 values') });
}, 60_000);
