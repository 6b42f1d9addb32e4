import type {
  Cause,
  Decision,
  Event,
  Expectation,
  JsonObject,
  JsonValue,
  Outcome,
  VerdictDocument,
} from '../protocol/index.ts';
import { isJsonObject, redactEvent } from '../protocol/index.ts';

/** A hook that could not be asked. */
export interface Failed {
  readonly hook: string;
  readonly cause: Cause;
  readonly message: string;
  /** The end of what it wrote there. */
  readonly stderrTail: string;
}

/** What came of an event, in the terms of an expectation. */
export interface Actual {
  readonly decision: Decision;
  readonly reason?: string;
  readonly feedback?: string | JsonObject;
  /** The event's data after the hooks, changed or not. */
  readonly data: JsonObject;
  readonly dataChanged: boolean;
  /** The hooks that were asked, or that it was tried to ask. */
  readonly hooks: readonly string[];
  readonly failed: readonly Failed[];
  readonly redacted: NonNullable<Expectation['redacted']>;
}

/** Puts a verdict beside the event that it is about. */
export function actualOf(event: Event, verdict: VerdictDocument, observed: readonly Outcome[]): Actual {
  const { decision } = verdict;
  const reason = 'reason' in decision ? decision.reason : undefined;
  const feedback = 'feedback' in decision ? decision.feedback : undefined;
  const asked = [...verdict.outcomes, ...observed].filter(({ status }) => status !== 'skipped');
  const { redacted } = redactEvent({ data: event.data, context: event.context ?? {} }, { nonce: 'Q0' });
  return {
    decision,
    ...(reason === undefined ? {} : { reason: steadyMarkers(reason) }),
    ...(feedback === undefined ? {} : { feedback: steadyFeedback(feedback) }),
    data: verdict.data ?? event.data,
    dataChanged: verdict.data !== undefined,
    hooks: asked.map(nameOf),
    failed: asked.flatMap((outcome) => (outcome.status === 'failed' ? [failedOf(outcome)] : [])),
    redacted: redacted.map(({ pointer, kind }) => ({ pointer, kind })),
  };
}

function failedOf(outcome: Extract<Outcome, { status: 'failed' }>): Failed {
  const { cause, message, stderrTail } = outcome;
  return { hook: nameOf(outcome), cause, message, stderrTail };
}

function nameOf({ hook }: Outcome): string {
  return `${hook.pack}/${hook.id}`;
}

/** A marker's nonce is new for each event; a golden text has `*` there. */
function steadyMarkers(text: string): string {
  return text.replaceAll(/\[REDACTED:([a-z0-9-]{1,64})#[A-Za-z0-9]{1,128}-(\d{1,9})\]/gu, '[REDACTED:$1#*-$2]');
}

function steadyFeedback(feedback: string | JsonObject): string | JsonObject {
  return typeof feedback === 'string' ? steadyMarkers(feedback) : steadyObject(feedback);
}

function steadyObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, steadyValue(value)]));
}

function steadyValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return steadyMarkers(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => steadyValue(item));
  return isJsonObject(value) ? steadyObject(value) : value;
}
