import type { JsonObject, JsonValue } from '../json-value.ts';
import { isJsonObject } from '../json-value.ts';

/** Gives out the markers of one event: `[REDACTED:<kind>#<nonce>-<n>]`, each unique. */
export class Markers {
  readonly nonce: string;
  private count = 0;

  constructor(nonce: string) {
    this.nonce = nonce;
  }

  next(kind: string): string {
    this.count += 1;
    return `[REDACTED:${kind}#${this.nonce}-${this.count}]`;
  }
}

/** True when a string or a key anywhere in the value holds the text. */
export function occurs(text: string, value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (Array.isArray(value)) return value.some((item: JsonValue) => occurs(text, item));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]: [string, JsonValue]) => key.includes(text) || occurs(text, item));
}

/** The nonce, or one made from it that does not occur in the event: a marker must never stand there by chance or design. */
export function unusedNonce(nonce: string, values: readonly JsonObject[]): string {
  if (!/^[A-Za-z0-9]+$/.test(nonce))
    throw new TypeError(`expected a nonce of letters and digits, got ${JSON.stringify(nonce)}`);
  let candidate = nonce;
  for (let n = 1; values.some((value) => occurs(candidate, value)); n += 1) candidate = `${nonce}x${n}`;
  return candidate;
}
