import type { JsonArray, JsonValue, Outcome } from '../protocol/index.ts';
import { cutStart, getOwn, isJsonObject } from '../protocol/index.ts';
import type { Limits, RawResult } from '../sandbox/index.ts';
import { applyModify } from './apply-modify.ts';
import { tameDecision, tameText, withReason } from './handler-text.ts';
import { interpret } from './interpret.ts';
import type { Invocation } from './invoke.ts';
import type { LoadedHook } from './loaded-hook.ts';
import type { OutcomeFacts } from './outcomes.ts';
import { failedOutcome } from './outcomes.ts';
import type { View } from './views.ts';

/** Where and how a run came about. */
export interface RunSetting {
  readonly loaded: LoadedHook;
  readonly view: View;
  readonly facts: OutcomeFacts;
  /** As they held for this run. */
  readonly limits: Limits;
  readonly secretValues: readonly string[];
}

/** Makes the outcome of a run: facts, then what was said, tamed, then what it replaced. Pure. */
export function readRun(raw: RawResult, { loaded, view, facts: before, limits, secretValues }: RunSetting): Invocation {
  const { hook, definition } = loaded;
  const secrets = [...secretValues, ...revealedSecrets(view)];
  const stderrTail = cutStart(tameText(new TextDecoder().decode(raw.stderr), secrets));
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
  });
  if (reading.status === 'no-opinion') return { outcome: { ...facts, status: 'no-opinion' } };
  const said = reading.decision === undefined ? undefined : tameDecision(reading.decision, secrets);
  const notes = notesOf([...(raw.notes ?? []), ...(said?.notes ?? [])]);
  if (reading.status === 'failed') {
    const decision = said === undefined ? {} : { decision: said.value };
    const message = tameText(reading.message, secrets);
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

/** What a hook was shown in clear must not come back through its mouth. */
function revealedSecrets({ original, redacted }: View): string[] {
  return redacted.revealed.flatMap((pointer) => {
    let value: JsonValue | undefined = { hook: { data: original } };
    for (const token of pointer.slice(1).split('/'))
      value = step(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    return typeof value === 'string' ? [value] : [];
  });
}

function step(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return (value as JsonArray)[Number(key)];
  return isJsonObject(value) ? getOwn(value, key) : undefined;
}
