import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexHooks } from '../../src/executor/hook-index.ts';
import { compileMatcher } from '../../src/executor/match.ts';
import { orderHooks, planHooks } from '../../src/executor/plan.ts';
import { eventDefinition } from '../../src/protocol/index.ts';
import type { Event, Matcher } from '../../src/protocol/index.ts';

const letter = fc.constantFrom('a', 'B', 'A', 'b', 'ß', 'é', 'e\u0301', 'Ａ', '\u200b', ' ', '\ud800');
const name = fc.array(letter, { maxLength: 5 }).map((letters) => letters.join(''));
const pattern = fc
  .array(fc.oneof(letter, fc.constant('*')), { minLength: 1, maxLength: 5 })
  .map((letters) => letters.join(''));
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });
const matcher = fc.record({ tools: patterns, steps: patterns }, { requiredKeys: [] });
const eventName = fc.constantFrom('tool:before', 'tool:after', 'run:start', 'custom:deploy');
const hooks = fc
  .array(
    fc.record({
      scope: fc.constantFrom('organization', 'project', 'agent', 'step'),
      priority: fc.integer({ min: -2, max: 2 }),
      mode: fc.constantFrom('control', 'observe'),
      event: eventName,
      matcher,
    }),
    { maxLength: 30 },
  )
  .map((list) =>
    list.map(({ scope, ...hook }, position) => ({ scope, hook, position, matches: compileMatcher(hook.matcher) })),
  );
const tool = fc.oneof({ weight: 5, arbitrary: name }, fc.constantFrom(null, 7, ['a'], { a: 'a' }));
const events = fc
  .tuple(eventName, fc.option(tool, { nil: undefined }), fc.option(name, { nil: undefined }))
  .map(([event, given, step]): Event => ({
    event,
    data: given === undefined ? {} : { tool: given },
    ...(step === undefined ? {} : { context: { step } }),
  }));

test('an index and a scan of all hooks find the same, in the same order', () => {
  let found = 0;
  fc.assert(
    fc.property(hooks, fc.array(events, { minLength: 1, maxLength: 10 }), (list, given) => {
      const ordered = orderHooks(list);
      const index = indexHooks(ordered);
      for (const event of given) {
        const definition = eventDefinition(event.event);
        if (definition === undefined) throw new Error(`no event ${event.event}`);
        const expected = ordered.filter(
          ({ hook, matches }) => hook.event === event.event && matches(event, definition).matches,
        );
        const plan = planHooks(index, event, ({ matches }) => matches(event, definition));
        expect(plan.control).toEqual(expected.filter(({ hook }) => hook.mode === 'control'));
        expect(plan.observe).toEqual(expected.filter(({ hook }) => hook.mode === 'observe'));
        found += expected.length;
      }
    }),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(1_000);
});

test('tried every hook of an event, though one of a thousand names its tool', () => {
  const matchers: readonly Matcher[] = Array.from({ length: 1_000 }, (_, number) => ({
    tools: [`tool-${number}`, `other_${number}_*`, '*_never'],
  }));
  const list = matchers.map((given) => ({ hook: { event: 'tool:before', matcher: given } }));
  const index = indexHooks(list);
  for (const event of ['tool:before', 'tool:after'])
    index({ event, data: { tool: 'the first is looked for without' } });
  expect(index({ event: 'tool:before', data: { tool: 'tool-500' } })).toEqual([list[500]]);
  expect(index({ event: 'tool:before', data: { tool: 'Other_7_x' } })).toEqual([list[7]]);
  expect(index({ event: 'tool:before', data: { tool: 'is_never' } })).toEqual(list);
  expect(index({ event: 'tool:after', data: { tool: 'tool-500' } })).toEqual([]);
});

test('an index made for a hundred thousand patterns with one beginning comes back', () => {
  const list = Array.from({ length: 400 }, (_, hook) => ({
    hook: {
      event: 'tool:before',
      matcher: { tools: Array.from({ length: 256 }, (__, number) => `*-${hook}-${number}`) },
    },
  }));
  const index = indexHooks(list);
  const event = { event: 'tool:before', data: { tool: 'x-399-255' } };
  expect(index(event)).toEqual(list);
  expect(index(event)).toEqual([list[399]]);
});
