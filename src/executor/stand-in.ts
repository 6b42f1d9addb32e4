import type { Decision, EventDefinition, HookName, JsonObject, Outcome } from '../protocol/index.ts';
import { mergeDecision } from '../protocol/index.ts';
import type { ChainResult } from './chain.ts';
import type { Untrusted } from './discover.ts';
import { blockingDecision, couldNotBeAsked } from './failure-policy.ts';
import type { LoadedHook } from './loaded-hook.ts';
import { emptyFacts, failedOutcome, skippedOutcome } from './outcomes.ts';

/** The event whose hooks are not asked one by one. */
export interface Unasked {
  readonly definition: EventDefinition;
  readonly data: JsonObject;
}

const projectPacks: HookName = { pack: '<project>', id: '*' };

/**
 * Packs lie in the project that must not run: any of them may hold a guard for this event. What the hooks of the
 * organization said stays said.
 */
export function withUntrusted(chain: ChainResult, { message }: Untrusted, event: Unasked): ChainResult {
  const blocked = failedResult(projectPacks, 'untrusted', message, event);
  return {
    ...chain,
    decision: mergeDecision(chain.decision, blocked.decision),
    outcomes: [...chain.outcomes, ...blocked.outcomes],
  };
}

/** An error of our own outside of any invocation. */
export function internalResult(error: unknown, event: Unasked): ChainResult {
  const message = `an error of hookcell itself: ${error instanceof Error ? error.message : String(error)}`;
  return failedResult({ pack: '<hookcell>', id: '*' }, 'internal', message, event);
}

const switchedOff = 'hooks are switched off by the kill switch';
const butRequired = `${switchedOff}, and this pack is required; to have it asked again, unset HOOKCELL_HOOKS (killSwitch in the library)`;

/** The kill switch is on: nothing is asked, and a hook of a required pack counts as one that could not be asked. */
export function killSwitchResult(
  hooks: readonly LoadedHook[],
  untrusted: Untrusted | undefined,
  event: Unasked,
): ChainResult {
  let decision: Decision | undefined;
  const outcomes = hooks.map(({ name, hook, from, timeoutMs }): Outcome => {
    const facts = emptyFacts(name, hook.mode, timeoutMs);
    if (!from.pack.required || hook.mode === 'observe') return skippedOutcome(facts, switchedOff);
    const reason = couldNotBeAsked({ hook: name, cause: 'untrusted', message: butRequired });
    decision = mergeDecision(decision, blockingDecision(event.definition, reason));
    return failedOutcome(facts, 'untrusted', butRequired);
  });
  const chain = { decision, data: event.data, modifiedFields: new Set<string>(), outcomes, failedOpen: [] };
  if (untrusted === undefined) return chain;
  if (untrusted.required) return withUntrusted(chain, untrusted, event);
  const skipped = skippedOutcome(emptyFacts(projectPacks, 'control', 0), `${switchedOff}; ${untrusted.message}`);
  return { ...chain, outcomes: [...outcomes, skipped] };
}

function failedResult(
  hook: HookName,
  cause: 'untrusted' | 'internal',
  message: string,
  { definition, data }: Unasked,
): ChainResult {
  const { guard, transform, turnEnd } = definition.class;
  // What only notifies already happened; no hook of ours is known to control it.
  const controls = guard || transform || turnEnd;
  return {
    decision: controls ? blockingDecision(definition, couldNotBeAsked({ hook, cause, message })) : undefined,
    data,
    modifiedFields: new Set(),
    outcomes: [failedOutcome(emptyFacts(hook, 'control', 0), cause, message)],
    failedOpen: [],
  };
}
