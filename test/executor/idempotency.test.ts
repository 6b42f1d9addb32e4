import { expect, test } from 'vitest';
import { createIdempotency } from '../../src/executor/idempotency.ts';
import type { Event } from '../../src/protocol/index.ts';

const key = new Uint8Array(32).fill(1);
const hook = { event: 'tool:before', packHash: 'hash', hookId: 'h' };
const event: Event = { event: 'tool:before', id: 'e1', data: { b: 1, a: 2 }, context: { runId: 'r1' } };
const keyOf = (given: Event, { secret = key, project = '/p', to = hook } = {}): string => {
  const idempotency = createIdempotency(secret, project);
  return idempotency.key(idempotency.deliver(given), to);
};

test('the same event gives the same key, whatever the order of its keys', () => {
  expect(keyOf(event)).toMatch(/^hk1_[A-Za-z0-9_-]{43}$/u);
  expect(keyOf({ ...event, data: { a: 2, b: 1 } })).toBe(keyOf(event));
});

test('everything that identifies a delivery changes the key', () => {
  const others = [
    keyOf({ ...event, data: { a: 2, b: 2 } }),
    keyOf({ ...event, id: 'e2' }),
    keyOf({ ...event, context: { runId: 'r2' } }),
    keyOf(event, { project: '/q' }),
    keyOf(event, { secret: new Uint8Array(32).fill(2) }),
    keyOf(event, { to: { ...hook, hookId: 'i' } }),
    keyOf(event, { to: { ...hook, packHash: 'other' } }),
  ];
  expect(new Set([keyOf(event), ...others]).size).toBe(others.length + 1);
});

test('an id with other content is a conflict, in the same session and at the same event only', () => {
  const idempotency = createIdempotency(key, '/p');
  const conflict = (given: Event): boolean => idempotency.deliver(given).conflict;
  expect(conflict(event)).toBe(false);
  expect(conflict(event)).toBe(false);
  expect(conflict({ ...event, data: { a: 3 } })).toBe(true);
  expect(conflict(event)).toBe(false);
  expect(conflict({ ...event, context: { runId: 'r2' }, data: { a: 3 } })).toBe(false);
  expect(conflict({ ...event, event: 'tool:after', data: { a: 3 } })).toBe(false);
});

test('an event without an id is never taken for another one', () => {
  const idempotency = createIdempotency(key, '/p');
  const { id: _id, ...anonymous } = event;
  expect(idempotency.key(idempotency.deliver(anonymous), hook)).not.toBe(
    idempotency.key(idempotency.deliver(anonymous), hook),
  );
});
