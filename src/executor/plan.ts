import type { Event } from '../protocol/index.ts';
import type { MatchResult } from './match.ts';

/** What a plan needs to know of a hook. */
export interface Plannable {
  readonly hook: { readonly event: string; readonly mode: 'control' | 'observe'; readonly priority: number };
  readonly position: number;
}

export interface Plan<Hook> {
  /** One after another, in this order. */
  readonly control: readonly Hook[];
  /** Side by side. */
  readonly observe: readonly Hook[];
}

/** By priority, lower first; among equals as they were declared. No two hooks are equal, so the order is total. */
export function orderHooks<Hook extends Plannable>(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.toSorted((one, other) => one.hook.priority - other.hook.priority || one.position - other.position);
}

/** Picks the hooks for an event out of ordered ones. Pure. */
export function planHooks<Hook extends Plannable>(
  ordered: readonly Hook[],
  event: Event,
  match: (hook: Hook, event: Event) => MatchResult,
): Plan<Hook> {
  const chosen = ordered.filter((hook) => hook.hook.event === event.event && match(hook, event).matches);
  return {
    control: chosen.filter(({ hook }) => hook.mode === 'control'),
    observe: chosen.filter(({ hook }) => hook.mode === 'observe'),
  };
}
