import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexHooks } from '../../src/executor/hook-index.ts';
import { orderHooks, planHooks, scopeOf } from '../../src/executor/plan.ts';
import type { Scope } from '../../src/executor/plan.ts';

const scopes: readonly Scope[] = ['organization', 'project', 'agent', 'step'];
const hooks = fc
  .array(
    fc.record({
      scope: fc.constantFrom(...scopes),
      priority: fc.integer({ min: -3, max: 3 }),
      mode: fc.constantFrom('control', 'observe'),
      event: fc.constantFrom('tool:before', 'tool:after', 'constructor'),
    }),
    { maxLength: 20 },
  )
  .map((list) => list.map(({ scope, ...hook }, position) => ({ scope, hook: { ...hook, matcher: {} }, position })));

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

test('the order is by scope, then by priority, and stable among equals', () => {
  fc.assert(
    fc.property(hooks, (list) => {
      const ordered = orderHooks(list);
      const ranks = ordered.map(({ scope, hook, position }) => [scopes.indexOf(scope), hook.priority, position]);
      ranks.forEach((rank, index) => {
        const before = ranks[index - 1];
        if (before === undefined) return;
        const first = rank.findIndex((value, place) => value !== before[place]);
        expect(rank[first]).toBeGreaterThan(before[first] ?? Infinity);
      });
      expect(ordered).toHaveLength(list.length);
    }),
  );
});

test('a plan keeps the order, and has every hook of the event and no other', () => {
  fc.assert(
    fc.property(hooks, (list) => {
      const ordered = orderHooks(list);
      const index = indexHooks(ordered);
      for (const event of ['tool:before', 'tool:after', 'constructor', 'toString']) {
        const plan = planHooks(index, { event, data: {} }, () => ({ matches: true }));
        const expected = ordered.filter(({ hook }) => hook.event === event);
        expect(plan.control).toEqual(expected.filter(({ hook }) => hook.mode === 'control'));
        expect(plan.observe).toEqual(expected.filter(({ hook }) => hook.mode === 'observe'));
      }
    }),
  );
});

test('hooks that do not match are left out', () => {
  const list = [0, 1].map((position) => ({
    scope: 'project' as const,
    hook: { priority: 1, mode: 'control' as const, event: 'tool:before', matcher: {} },
    position,
  }));
  const only = planHooks(indexHooks(list), { event: 'tool:before', data: {} }, ({ position }) =>
    position === 1 ? { matches: true } : { matches: false, why: '' },
  );
  expect(only.control.map(({ position }) => position)).toEqual([1]);
});

test('a hook that names steps is of scope step, but never after the project when it is the organization that asks', () => {
  expect(scopeOf('project', false)).toBe('project');
  expect(scopeOf('project', true)).toBe('step');
  expect(scopeOf('agent', false)).toBe('agent');
  expect(scopeOf('agent', true)).toBe('step');
  expect(scopeOf('organization', true)).toBe('organization');
});
