import { decimalForm, survivesDouble } from './json-number-text.ts';
import type { JsonValue } from './json-value.ts';
import { isJsonObject, JsonNumber } from './json-value.ts';

/**
 * The RFC 8785 canonical form: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them.
 * Beyond the RFC, so that every event has a form: a number that no double holds is written by its exact value, and a
 * lone surrogate by its escape.
 */
export function canonicalJson(value: JsonValue): string {
  if (value instanceof JsonNumber) {
    return survivesDouble(value.text) ? JSON.stringify(Number(value.text)) : decimalForm(value.text);
  }
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(',')}]`;
  if (isJsonObject(value)) {
    return `{${Object.keys(value)
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

/** What identifies one delivery of one event to one hook; see PROTOCOL section 2. */
export interface IdempotencyParts {
  /** Identity of the project, e.g. its real path. */
  readonly project: string;
  /** Run or session id. */
  readonly session: string;
  readonly eventId: string;
  readonly event: string;
  /** Hash of the unredacted event. */
  readonly eventHash: string;
  readonly packHash: string;
  readonly hookId: string;
}

/** The text under the keyed hash of `idempotencyKey`: an array, so that no part can run into the next. */
export function idempotencyText(parts: IdempotencyParts): string {
  const { project, session, eventId, event, eventHash, packHash, hookId } = parts;
  return canonicalJson([project, session, eventId, event, eventHash, packHash, hookId]);
}
