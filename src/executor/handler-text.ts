import type { Decision, JsonObject, JsonObjectDraft, JsonValue } from '../protocol/index.ts';
import {
  cleanForPeople,
  cutText,
  isJsonObject,
  maxSaidCharacters,
  redactText,
  setOwn,
  stringifyJson,
} from '../protocol/index.ts';

/** What a handler said, fit to be passed on, and remarks on what was done to it. */
export interface Tamed<Value> {
  readonly value: Value;
  readonly notes: readonly string[];
}

/**
 * Text of a handler is untrusted: it is stripped of control characters (first, so that none can split a secret),
 * redacted, and cut.
 */
export function tameText(text: string, secretValues: readonly string[]): string {
  return redactText(cleanForPeople(text), secretValues);
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
