import type { Cause, Decision, EventDefinition, HookName } from '../protocol/index.ts';
import { allowedActions, causesThatAlwaysBlock, mergeDecision } from '../protocol/index.ts';
import { withReason } from './handler-text.ts';

/** One failed invocation of a controlling hook. */
export interface Failure {
  readonly hook: HookName;
  readonly cause: Cause;
  readonly message: string;
  /** A restriction that was said all the same. */
  readonly decision?: Decision;
  readonly exit?: { readonly code: number | null };
}

type Blocking = Extract<Decision, { action: 'deny' | 'stop' }>;

/** What a failure means for the event. */
export interface FailureEffect {
  readonly decision?: Decision;
  /** The event goes on although the hook could not be asked. */
  readonly failedOpen: boolean;
}

/**
 * Turns a failure into a decision (PROTOCOL sections 3 and 5). `onFailure: "continue"` lets it pass, but for the causes
 * that always block; a restriction that was said counts in either case. Pure.
 */
export function applyFailurePolicy(
  failure: Failure,
  onFailure: 'block' | 'continue',
  definition: EventDefinition,
): FailureEffect {
  const said = failure.decision === undefined ? undefined : restrictionAt(definition, failure.decision);
  if (onFailure === 'continue' && !causesThatAlwaysBlock.has(failure.cause)) {
    return said === undefined ? { failedOpen: true } : { decision: withReason(said), failedOpen: false };
  }
  const blocking = blockingDecision(definition, couldNotBeAsked(failure));
  const decision = saysNoByExit(failure)
    ? mergeDecision(said === undefined ? undefined : withReason(said), blocking)
    : mergeFailure(said, blocking);
  return decision === undefined ? { failedOpen: false } : { decision, failedOpen: false };
}

/** A program that says no as at most hosts was asked, and its words are the reason. */
function saysNoByExit({ cause, exit, decision }: Failure): boolean {
  return cause === 'nonzero_exit' && exit?.code === 2 && decision?.action === 'deny';
}

/** The stricter of the two; when both say the same, with both reasons. */
function mergeFailure(said: Decision | undefined, blocking: Blocking | undefined): Decision | undefined {
  if (said === undefined || blocking === undefined || said.action !== blocking.action)
    return mergeDecision(said, blocking);
  // What the failure shows as the end of stderr is told once.
  if (said.reason === undefined || blocking.reason?.includes(said.reason) === true) return { ...said, ...blocking };
  return { ...said, reason: `${blocking.reason}; it said: ${said.reason}` };
}

/**
 * The decision that stands for "could not be asked" at an event. A turn's end must not be denied, since that means
 * "keep working" and a broken hook would never let a turn end; where nothing can be denied any more, the turn stops.
 */
export function blockingDecision(definition: EventDefinition, reason: string): Blocking | undefined {
  const { guard, transform } = definition.class;
  if (guard || transform) return { action: 'deny', reason };
  return definition.neverRaises ? undefined : { action: 'stop', reason };
}

export function couldNotBeAsked({ hook, cause, message }: Omit<Failure, 'decision'>): string {
  const detail = message.startsWith(cause) ? message : `${cause}: ${message}`;
  return `${hook.pack}/${hook.id} could not be asked: ${detail}`;
}

/** A restriction in the words that the event knows; the next stricter one where it does not. */
export function restrictionAt(definition: EventDefinition, decision: Decision): Decision | undefined {
  if (allowedActions(definition, 'control').has(decision.action)) return decision;
  const saidReason = decision.action === 'continue' ? undefined : decision.reason;
  return blockingDecision(definition, saidReason ?? `a hook answered "${decision.action}"`);
}
