import { expect, test } from 'vitest';
import { createQueue } from '../../src/executor/queue.ts';

test('lets in as many as it has slots, then first come, first served', async () => {
  const queue = createQueue(2);
  const first = await queue.enter();
  await queue.enter();
  const order: string[] = [];
  const third = queue.enter().then((release) => (order.push('third'), release));
  const fourth = queue.enter().then((release) => (order.push('fourth'), release));
  expect([queue.running, queue.waiting]).toEqual([2, 2]);
  first?.();
  (await third)?.();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
  expect([queue.running, queue.waiting]).toEqual([2, 0]);
});

test('giving a slot back twice frees it once', async () => {
  const queue = createQueue(1);
  const release = await queue.enter();
  release?.();
  release?.();
  expect(queue.running).toBe(0);
  await queue.enter();
  expect(queue.running).toBe(1);
});

test('whoever gives up leaves the line and takes no slot', async () => {
  const queue = createQueue(1);
  const release = await queue.enter();
  const controller = new AbortController();
  const waiting = queue.enter(controller.signal);
  controller.abort();
  expect(await waiting).toBeUndefined();
  expect(await queue.enter(AbortSignal.abort())).toBeUndefined();
  expect(queue.waiting).toBe(0);
  release?.();
  expect(queue.running).toBe(0);
});
