import type { Decision, JsonObject, JsonObjectDraft, JsonValue } from '../protocol/index.ts';
import {
  cleanForPeople,
  cutText,
  isJsonObject,
  JsonNumber,
  maxSaidCharacters,
  redactEnd,
  redactText,
  setOwn,
  stringifyJson,
} from '../protocol/index.ts';

/** What a handler said, fit to be passed on, and remarks on what was done to it. */
export interface Tamed<Value> {
  readonly value: Value;
  readonly notes: readonly string[];
}

/** Stands for what could not be redacted. */
const withheld = '[withheld: it could not be redacted]';

/**
 * Text of a handler is untrusted: it is stripped of control characters (first, so that none can split a secret),
 * redacted, and cut. Never throws: what is said must never cost what was decided.
 */
export function tameText(text: string, secretValues: readonly string[]): string {
  try {
    return redactText(cleanForPeople(text), secretValues);
  } catch {
    return withheld;
  }
}

/**
 * Tames the last `keep` bytes of a stream, of which more are given, so that a secret that lies across the cut is
 * recognised. Never throws.
 */
export function tameEnd(bytes: Uint8Array, keep: number, secretValues: readonly string[]): string {
  try {
    const before = bytes.subarray(0, Math.max(0, bytes.length - keep));
    return redactEnd(cleanBytes(bytes), cleanBytes(before).length, secretValues);
  } catch {
    return withheld;
  }
}

function cleanBytes(bytes: Uint8Array): string {
  return cleanForPeople(new TextDecoder().decode(bytes));
}

/** Tames `reason` and `feedback`. */
export function tameDecision(decision: Decision, secretValues: readonly string[]): Tamed<Decision> {
  const notes: string[] = [];
  const cut = (what: string, text: string): string => {
    const short = cutText(text);
    if (short !== text) notes.push(`${what} cut at ${maxSaidCharacters} characters of ${text.length}`);
    return short;
  };
  if (decision.action === 'continue') {
    return { value: { ...decision, feedback: tameFeedback(decision.feedback, secretValues, cut) }, notes };
  }
  const { reason: given = '', ...rest } = decision;
  const said = tameText(given, secretValues).trim();
  const value: Decision = said === '' ? rest : { ...rest, reason: cut('reason', said) };
  if ((value.action === 'deny' || value.action === 'stop') && value.feedback !== undefined) {
    return { value: { ...value, feedback: tameFeedback(value.feedback, secretValues, cut) }, notes };
  }
  return { value, notes };
}

function tameFeedback(
  feedback: string | JsonObject,
  secretValues: readonly string[],
  cut: (what: string, text: string) => string,
): string | JsonObject {
  if (typeof feedback === 'string') return cut('feedback', tameText(feedback, secretValues));
  const tamed = tameObject(feedback, secretValues);
  const text = stringifyJson(tamed);
  return text.length > maxSaidCharacters ? cut('feedback', text) : tamed;
}

function tameObject(value: JsonObject, secretValues: readonly string[]): JsonObject {
  const tamed: JsonObjectDraft = {};
  for (const [key, item] of Object.entries(value))
    setOwn(tamed, tameText(key, secretValues), tameValue(item, secretValues));
  return tamed;
}

function tameValue(value: JsonValue, secretValues: readonly string[]): JsonValue {
  if (typeof value === 'string') return tameText(value, secretValues);
  if (Array.isArray(value)) return value.map((item: JsonValue) => tameValue(item, secretValues));
  if (typeof value === 'number' || value instanceof JsonNumber) {
    const text = value instanceof JsonNumber ? value.text : String(value);
    const tamed = tameText(text, secretValues);
    return tamed === text ? value : tamed;
  }
  return isJsonObject(value) ? tameObject(value, secretValues) : value;
}

const defaultReasons: Readonly<Partial<Record<Decision['action'], string>>> = {
  deny: 'denied by the hook, which gave no reason',
  stop: 'stopped by the hook, which gave no reason',
  ask: 'the hook wants a person to approve this, and gave no reason',
  defer: 'the hook wants this to wait, and gave no reason',
};

/** Gives a restriction that has no reason one: some hosts drop it otherwise. */
export function withReason(decision: Decision): Decision {
  const reason = defaultReasons[decision.action];
  if (reason === undefined || decision.action === 'continue' || decision.reason !== undefined) return decision;
  return { ...decision, reason };
}
