import { expect, test } from 'vitest';
import { createRateGuard, isRateGuarded } from '../../src/executor/rate-guard.ts';

test('admits so many in any minute, for each hook and event apart', () => {
  const guard = createRateGuard(2);
  expect([0, 10, 20].map((now) => guard.admit('p/h', 'run:start', now))).toEqual([true, true, false]);
  expect(guard.admit('p/other', 'run:start', 20)).toBe(true);
  expect(guard.admit('p/h', 'run:end', 20)).toBe(true);
  expect(guard.admit('p/h', 'run:start', 59_999)).toBe(false);
  expect(guard.admit('p/h', 'run:start', 60_000)).toBe(true);
  expect(guard.admit('p/h', 'run:start', 60_009)).toBe(false);
  expect(guard.admit('p/h', 'run:start', 60_010)).toBe(true);
});

test('guards what every new run passes, not what one run does many times', () => {
  expect(['run:start', 'session:end', 'turn:stop', 'prompt:submit'].every(isRateGuarded)).toBe(true);
  expect(['tool:before', 'tool:after', 'model:before', 'turn:start'].some(isRateGuarded)).toBe(false);
});
