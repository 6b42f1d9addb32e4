import type { Event } from '../protocol/index.ts';
import type { HookIndex } from './hook-index.ts';
import type { MatchResult } from './match.ts';

/** Where a pack comes from: the operator's own, the project's, or the project's by an agent's choice. */
export type Layer = 'organization' | 'project' | 'agent';

/** The first word on the order of hooks (PROTOCOL section 5). */
export type Scope = Layer | 'step';

const scopes: readonly Scope[] = ['organization', 'project', 'agent', 'step'];

/** A hook that names steps is of scope `step`; but what the organization asks comes first in any case. */
export function scopeOf(layer: Layer, namesSteps: boolean): Scope {
  return namesSteps && layer !== 'organization' ? 'step' : layer;
}

/** What a plan needs to know of a hook. */
export interface Plannable {
  readonly scope: Scope;
  readonly hook: { readonly event: string; readonly mode: 'control' | 'observe'; readonly priority: number };
  readonly position: number;
}

export interface Plan<Hook> {
  /** One after another, in this order. */
  readonly control: readonly Hook[];
  /** Side by side. */
  readonly observe: readonly Hook[];
}

/**
 * By scope, then by priority, lower first; among equals as they were declared. No two hooks are equal, so the order is
 * total.
 */
export function orderHooks<Hook extends Plannable>(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.toSorted(
    (one, other) =>
      scopes.indexOf(one.scope) - scopes.indexOf(other.scope) ||
      one.hook.priority - other.hook.priority ||
      one.position - other.position,
  );
}

/** Picks the hooks for an event. Pure. */
export function planHooks<Hook extends Plannable>(
  index: HookIndex<Hook>,
  event: Event,
  match: (hook: Hook, event: Event) => MatchResult,
): Plan<Hook> {
  const chosen = index(event).filter((hook) => match(hook, event).matches);
  return {
    control: chosen.filter(({ hook }) => hook.mode === 'control'),
    observe: chosen.filter(({ hook }) => hook.mode === 'observe'),
  };
}
