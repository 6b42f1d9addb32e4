import type { Action, Decision } from './decision.ts';

/**
 * The lattice. `continue` lives only inside a termination gate, where it reopens the work as `deny` does,
 * so it weighs as much; outside of one it never gets here.
 */
const ranks: Readonly<Record<Action, number>> = {
  allow: 1,
  modify: 2,
  ask: 3,
  defer: 4,
  deny: 5,
  continue: 5,
  stop: 6,
};

/** How strict an action is: stop > deny > defer > ask > modify > allow. No opinion would be 0. */
export function strictness(action: Action): number {
  return ranks[action];
}

/**
 * Merges the next hook's decision into what stands so far; `undefined` is no opinion. The result is never less strict
 * than either: absence overwrites nothing, and between equals the first stays as it is.
 * What `modify` replaced is handed on as the event's data by the caller, not here.
 */
export function mergeDecision(current: Decision | undefined, next: Decision | undefined): Decision | undefined {
  if (current === undefined) return next;
  if (next === undefined) return current;
  return strictness(next.action) > strictness(current.action) ? next : current;
}
