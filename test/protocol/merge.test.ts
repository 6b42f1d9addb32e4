import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action, Decision } from '../../src/protocol/index.ts';
import { mergeDecision, strictness } from '../../src/protocol/index.ts';

const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({
    action: fc.constantFrom('allow' as const, 'ask' as const, 'defer' as const, 'deny' as const, 'stop' as const),
    reason: fc.string(),
  }),
  fc.record({ action: fc.constant('modify' as const), data: fc.constant({ input: {} }), reason: fc.string() }),
  fc.record({ action: fc.constant('continue' as const), feedback: fc.string() }),
);
const opinion = fc.option(decision, { nil: undefined });
const weight = (given: Decision | undefined): number => (given === undefined ? 0 : strictness(given.action));

describe('mergeDecision', () => {
  it('orders stop > deny > defer > ask > modify > allow', () => {
    const order: Action[] = ['allow', 'modify', 'ask', 'defer', 'deny', 'stop'];
    expect(order.toSorted((a, b) => strictness(a) - strictness(b))).toEqual(order);
    expect(new Set(order.map((action) => strictness(action))).size).toBe(order.length);
    expect(strictness('allow')).toBeGreaterThan(0);
  });

  it('never loosens, and takes one of the two as it is', () => {
    fc.assert(
      fc.property(opinion, opinion, (current, next) => {
        const merged = mergeDecision(current, next);
        expect(weight(merged)).toBe(Math.max(weight(current), weight(next)));
        expect([current, next]).toContain(merged);
      }),
    );
  });

  it('is associative and idempotent', () => {
    fc.assert(
      fc.property(opinion, opinion, opinion, (a, b, c) => {
        expect(mergeDecision(mergeDecision(a, b), c)).toBe(mergeDecision(a, mergeDecision(b, c)));
        expect(mergeDecision(a, a)).toBe(a);
      }),
    );
  });

  it('keeps the first of two equals, and absence overwrites nothing', () => {
    const first: Decision = { action: 'deny', reason: 'first' };
    expect(mergeDecision(first, { action: 'deny', reason: 'second' })).toBe(first);
    expect(mergeDecision(first, undefined)).toBe(first);
    expect(mergeDecision(undefined, first)).toBe(first);
    expect(mergeDecision(undefined, undefined)).toBeUndefined();
  });
});
