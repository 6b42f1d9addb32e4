import { describe, expect, it } from 'vitest';
import { defineEvent, JsonNumber, readVector } from '../../src/protocol/index.ts';

const vector = { version: 1, event: { event: 'tool:before', data: { tool: 'write' } }, expect: { action: 'deny' } };
const read = (value: object, options = {}) => readVector(JSON.stringify(value, null, 2), 'a.vector.json', options);

describe('readVector', () => {
  it('reads a vector, its numbers as they were written', () => {
    const text = JSON.stringify(vector).replace('"write"', '12345678901234567891');
    const result = readVector(text, 'a.vector.json');
    expect(result.ok && result.vector.event.data['tool']).toEqual(new JsonNumber('12345678901234567891'));
  });

  it.each([
    [{ ...vector, expect: undefined }, 'empty_expectation', '/expect', 1],
    [{ ...vector, expect: {} }, 'empty_expectation', '/expect', 9],
    [{ ...vector, expect: { action: 'permit' } }, 'invalid_value', '/expect/action', 10],
    [{ ...vector, expect: { action: 'modify' } }, 'missing_key', '/expect/data', 9],
    [{ ...vector, expect: { action: 'deny', causes: { h: 'timeout' } } }, 'invalid_key', '/expect/causes/h', 12],
    [{ ...vector, event: { event: 'tool:befor', data: {} } }, 'unknown_event', '/event/event', 4],
    [{ ...vector, event: { event: 'tool:before' } }, 'missing_key', '/event/data', 3],
    [{ ...vector, packs: [] }, 'invalid_value', '/packs', 12],
    [{ ...vector, packs: '~/packs' }, 'invalid_value', '/packs', 12],
    [{ ...vector, version: 2 }, 'invalid_value', '/version', 2],
    [{ ...vector, options: { timeoutMs: 0 } }, 'invalid_value', '/options/timeoutMs', 13],
  ])('%j: %s at %s', (value, code, pointer, line) => {
    const result = read(value);
    expect(result).toMatchObject({ ok: false, findings: [{ code, pointer, line, file: 'a.vector.json' }] });
  });

  it('knows events of the host', () => {
    const definition = defineEvent('deploy:start', { class: 'guard' });
    const own = { ...vector, event: { event: 'deploy:start', data: {} } };
    expect(read(own).ok).toBe(false);
    expect(read(own, { knownEvents: new Map([['deploy:start', definition]]) }).ok).toBe(true);
  });

  it('does not judge an expectation that is about to be replaced, and nothing else less', () => {
    const replace = { expectation: 'replace' };
    for (const expected of [undefined, {}, 7, { action: 'permit' }]) {
      expect(read({ ...vector, expect: expected }, replace)).toMatchObject({ ok: true });
    }
    expect(read({ ...vector, expect: {}, packs: 7 }, replace).ok).toBe(false);
    expect(read({ ...vector, event: { event: 'tool:befor', data: {} } }, replace).ok).toBe(false);
  });

  it.each(['', '[]', '7', 'null', '{"version":1,"version":1}', '{"__proto__":1}'])('refuses %s', (text) => {
    expect(readVector(text, 'a.vector.json').ok).toBe(false);
    expect(readVector(text, 'a.vector.json', { expectation: 'replace' }).ok).toBe(false);
  });
});
