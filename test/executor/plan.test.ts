import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderHooks, planHooks } from '../../src/executor/plan.ts';

const hooks = fc
  .array(fc.record({ priority: fc.integer({ min: -3, max: 3 }), mode: fc.constantFrom('control', 'observe') }), {
    maxLength: 20,
  })
  .map((list) => list.map((hook, position) => ({ hook: { ...hook, event: 'tool:before' }, position })));

test('the order is total: whatever order hooks come in, the result is the same', () => {
  fc.assert(
    fc.property(
      hooks.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(orderHooks(shuffled)).toEqual(orderHooks(list));
      },
    ),
  );
});

test('the order is by priority, and stable among equals', () => {
  fc.assert(
    fc.property(hooks, (list) => {
      const ordered = orderHooks(list);
      ordered.forEach((hook, index) => {
        const before = ordered[index - 1];
        if (before === undefined) return;
        expect(before.hook.priority).toBeLessThanOrEqual(hook.hook.priority);
        if (before.hook.priority === hook.hook.priority) expect(before.position).toBeLessThan(hook.position);
      });
      expect(ordered).toHaveLength(list.length);
    }),
  );
});

test('a plan keeps the order, and drops nothing that matches', () => {
  fc.assert(
    fc.property(hooks, (list) => {
      const plan = planHooks(orderHooks(list), { event: 'tool:before', data: {} }, () => ({ matches: true }));
      expect(plan.control.length + plan.observe.length).toBe(list.length);
      expect(plan.control).toEqual(orderHooks(plan.control));
    }),
  );
});

test('other events and hooks that do not match are left out', () => {
  const list = [0, 1].map((position) => ({
    hook: { priority: 1, mode: 'control' as const, event: 'tool:before' },
    position,
  }));
  const only = planHooks(list, { event: 'tool:before', data: {} }, ({ position }) =>
    position === 1 ? { matches: true } : { matches: false, why: '' },
  );
  expect(only.control.map(({ position }) => position)).toEqual([1]);
  expect(planHooks(list, { event: 'tool:after', data: {} }, () => ({ matches: true })).control).toEqual([]);
});
