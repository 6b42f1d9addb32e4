import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonValue, ReadEventOptions } from '../../src/protocol/index.ts';
import { defineEvent, JsonNumber, parseJson, readEvent } from '../../src/protocol/index.ts';

function read(text: string, options?: ReadEventOptions) {
  const parsed = parseJson(text, { numbers: 'keep' });
  if (!parsed.ok) throw new Error(parsed.message);
  return readEvent(parsed.value, options);
}
function codes(value: JsonValue, options?: ReadEventOptions) {
  const result = readEvent(value, options);
  return result.ok ? [] : result.findings.map(({ code, pointer }) => [code, pointer]);
}

describe('readEvent', () => {
  it('reads a whole event and keeps its numbers', () => {
    const result = read(
      '{ "event": "tool:before", "id": "e1", "data": { "n": 12345678901234567890 }, "context": { "runId": "r" } }',
    );
    expect(result).toEqual({
      ok: true,
      event: {
        event: 'tool:before',
        id: 'e1',
        data: { n: new JsonNumber('12345678901234567890') },
        context: { runId: 'r' },
      },
    });
  });

  it.each<[string, JsonValue, [string, string][]]>([
    ['no object', null, [['invalid_value', '']]],
    ['a number that is kept', new JsonNumber('1e400'), []],
    [
      'nothing',
      {},
      [
        ['missing_key', '/event'],
        ['missing_key', '/data'],
      ],
    ],
    ['an unknown key', { event: 'tool:before', data: {}, dta: 1 }, [['unknown_key', '/dta']]],
    [
      'an unknown context key',
      { event: 'tool:before', data: {}, context: { user: 'x' } },
      [['unknown_key', '/context/user']],
    ],
    [
      'a context that is no text',
      { event: 'tool:before', data: {}, context: { runId: 5 } },
      [['invalid_value', '/context/runId']],
    ],
    ['data that is no object', { event: 'tool:before', data: [] }, [['invalid_value', '/data']]],
    ['an empty id', { event: 'tool:before', id: '', data: {} }, [['invalid_value', '/id']]],
    ['an unknown event', { event: 'tool:befor', data: {} }, [['unknown_event', '/event']]],
  ])('refuses %s', (_, value, expected) => {
    const found = codes(value);
    if (expected.length > 0) expect(found).toEqual(expected);
    else expect(found.length).toBeGreaterThan(0);
  });

  it('says which event was meant, and which keys there are', () => {
    const result = readEvent({ event: 'PreToolUse', data: {}, context: { run_id: 'r' } });
    expect(result.ok ? [] : result.findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('did you mean "runId"?'),
      expect.stringContaining('here it is "tool:before"'),
    ]);
  });

  it('takes the name from outside for bare data, and for an event without one', () => {
    const event = 'tool:before';
    expect(readEvent({ tool: 'write' }, { event })).toEqual({ ok: true, event: { event, data: { tool: 'write' } } });
    expect(readEvent({}, { event })).toEqual({ ok: true, event: { event, data: {} } });
    expect(readEvent({ id: 'e', data: { a: 1 } }, { event })).toEqual({
      ok: true,
      event: { event, id: 'e', data: { a: 1 } },
    });
    expect(readEvent({ data: 1, more: 2 }, { event })).toEqual({
      ok: true,
      event: { event, data: { data: 1, more: 2 } },
    });
    expect(readEvent({ event, data: { a: 1 } }, { event })).toEqual({ ok: true, event: { event, data: { a: 1 } } });
  });

  it('never takes one event for another', () => {
    expect(codes({ event: 'run:end', data: {} }, { event: 'tool:before' })).toEqual([['event_mismatch', '/event']]);
    expect(codes({ event: 'tool:before', dta: {} }, { event: 'tool:before' })).not.toEqual([]);
    expect(codes([], { event: 'tool:before' })).toEqual([['invalid_value', '']]);
    expect(codes({}, { event: 'nope' })).toEqual([['unknown_event', '/event']]);
  });

  it('checks the data of a registered event by its schema', () => {
    const deploy = defineEvent('deploy:start', { class: 'guard', schema: z.strictObject({ target: z.string() }) });
    const options = { knownEvents: new Map([[deploy.name, deploy]]) };
    expect(codes({ event: 'deploy:start', data: { target: 'x' } }, options)).toEqual([]);
    expect(codes({ event: 'deploy:start', data: { target: 5 } }, options)).toEqual([['invalid_value', '/data/target']]);
  });

  it('quotes nothing secret, not the start of a secret that a message would cut either', () => {
    const secretValues = ['correct-horse'];
    const key = `${'x'.repeat(52)}correct-horse`;
    const bad: JsonValue[] = [
      { event: 'correct-horse', data: {} },
      { event: 'tool:before', data: {}, [key]: 1 },
      { event: 'tool:before', data: {}, id: `correct-horse${'y'.repeat(600)}` },
      { event: 'tool:before', data: 'correct-horse' },
    ];
    for (const value of bad) {
      const result = readEvent(value, { secretValues });
      expect(result.ok).toBe(false);
      expect(JSON.stringify(result)).not.toMatch(/corr/u);
    }
  });
});
