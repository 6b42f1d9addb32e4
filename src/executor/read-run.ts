import type { Outcome } from '../protocol/index.ts';
import { cutStart, isRestriction } from '../protocol/index.ts';
import type { Limits, RawResult } from '../sandbox/index.ts';
import { applyModify } from './apply-modify.ts';
import { tameDecision, tameEnd, tameText, withReason } from './handler-text.ts';
import type { Reading } from './interpret.ts';
import { interpret } from './interpret.ts';
import type { Invocation } from './invoke.ts';
import type { LoadedHook } from './loaded-hook.ts';
import type { OutcomeFacts } from './outcomes.ts';
import { failedOutcome, internalMessage } from './outcomes.ts';
import type { View } from './views.ts';

/** Where and how a run came about. */
export interface RunSetting {
  readonly loaded: Pick<LoadedHook, 'hook' | 'definition' | 'timeoutMs' | 'byFlags'>;
  readonly view: View;
  readonly facts: OutcomeFacts;
  /** As they held for this run. */
  readonly limits: Limits;
  /** What must not come back in words. */
  readonly secretValues: readonly string[];
}

/**
 * Makes the outcome of a run: facts, then what was said, tamed, then what it replaced. A restriction that was read is
 * kept whatever fails after it. Pure.
 */
export function readRun(raw: RawResult, setting: RunSetting): Invocation {
  const { loaded, view, facts: before, limits, secretValues } = setting;
  const { hook, definition } = loaded;
  const stderrTail = cutStart(tameEnd(raw.stderr, limits.keepStderrBytes, secretValues));
  const { durationMs, bytes, exit, sandbox } = raw;
  const facts = { ...before, durationMs, bytes, exit, sandbox, stderrTail, ...notesOf(raw.notes ?? []) };
  const reading = interpret(raw, {
    decide: hook.handler.decide,
    onEmpty: hook.handler.onEmpty,
    mode: hook.mode,
    definition,
    data: view.redacted.data,
    limits,
    budgetSetLimit: facts.timeoutMs < loaded.timeoutMs,
    stderrTail,
    byFlags: loaded.byFlags,
  });
  try {
    return invocationOf(reading, facts, setting);
  } catch (error) {
    const said = reading.status === 'no-opinion' ? undefined : reading.decision;
    const kept = said !== undefined && isRestriction(said) ? { decision: withReason({ action: said.action }) } : {};
    const message = tameText(internalMessage(error), secretValues);
    return { outcome: { ...facts, status: 'failed', cause: 'internal', message, ...kept } };
  }
}

function invocationOf(reading: Reading, facts: OutcomeFacts, { view, secretValues }: RunSetting): Invocation {
  if (reading.status === 'no-opinion') return { outcome: { ...facts, status: 'no-opinion' } };
  const said = reading.decision === undefined ? undefined : tameDecision(reading.decision, secretValues);
  const notes = notesOf([...(facts.notes ?? []), ...(said?.notes ?? [])]);
  if (reading.status === 'failed') {
    const decision = said === undefined ? {} : { decision: said.value };
    const message = tameText(reading.message, secretValues);
    return { outcome: { ...facts, ...notes, status: 'failed', cause: reading.cause, message, ...decision } };
  }
  const outcome: Outcome = {
    ...facts,
    ...notes,
    status: 'answered',
    decision: withReason(said?.value ?? reading.decision),
  };
  if (reading.decision.action !== 'modify') return { outcome };
  const modified = applyModify(reading.decision.data, view);
  return modified.ok ? { outcome, modified } : { outcome: failedOutcome(facts, modified.cause, modified.message) };
}

function notesOf(notes: readonly string[]): { notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes };
}
