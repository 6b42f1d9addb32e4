import { decimalForm } from './json-number-text.ts';
import type { JsonObjectDraft } from './json-object.ts';
import { getOwn, setOwn } from './json-object.ts';
import { pointerOf } from './json-pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts';
import { isJsonObject, JsonNumber } from './json-value.ts';
import { occurs } from './redact/markers.ts';

/** One modifiable field on its three ways: pointers are relative to it. `undefined` = the event had no such field. */
export interface ModifiedField {
  /** As the handler saw it, with markers. */
  readonly sent: JsonValue | undefined;
  /** As it was before redaction. */
  readonly original: JsonValue | undefined;
  /** As the handler gave it back. */
  readonly answered: JsonValue;
  /** The nonce of the markers, from `redactEvent`. */
  readonly nonce: string;
}

export type RestoredField =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** The field held a redaction and something else in it changed: the verdict is then at least `ask`. */
      readonly touchedBesideSecrets: boolean;
    }
  | { readonly ok: false; readonly cause: 'redacted_value_moved'; readonly message: string };

/**
 * Puts the original values back into a field that a handler modified (PROTOCOL section 8). A string that holds a
 * marker must come back byte for byte at its own pointer; the marker, or its nonce, anywhere else (another string, a
 * key, an edited string, a copy) is `redacted_value_moved`. A marker that is gone with its whole string is a change.
 *
 * @example
 * restoreModified({ sent: { token: mark, path: 'a' }, original: { token: 't', path: 'a' }, answered: { token: mark, path: 'b' }, nonce });
 * // { ok: true, value: { token: 't', path: 'b' }, touchedBesideSecrets: true }
 */
export function restoreModified({ sent, original, answered, nonce }: ModifiedField): RestoredField {
  const restorer = new Restorer(nonce);
  try {
    const value = restorer.restore(sent, original, answered);
    const heldSecret = sent !== undefined && occurs(nonce, sent);
    return { ok: true, value, touchedBesideSecrets: heldSecret && restorer.touched };
  } catch (error) {
    if (!(error instanceof Moved)) throw error;
    const place = pointerOf(restorer.path);
    return {
      ok: false,
      cause: 'redacted_value_moved',
      message: `a redacted value stands at ${place === '' ? 'the top of the field' : place}, where it was not sent or was edited; give such strings back unchanged, or leave them out whole`,
    };
  }
}

class Moved extends Error {}

class Restorer {
  readonly path: (string | number)[] = [];
  touched = false;
  private readonly nonce: string;

  constructor(nonce: string) {
    this.nonce = nonce;
  }

  restore(sent: JsonValue | undefined, original: JsonValue | undefined, answered: JsonValue): JsonValue {
    if (typeof answered === 'string') {
      if (answered === sent) return original ?? answered;
      this.touched = true;
      if (answered.includes(this.nonce)) throw new Moved();
      return answered;
    }
    if (Array.isArray(answered)) return this.items(arrayOf(sent), arrayOf(original), answered);
    if (isJsonObject(answered)) return this.members(objectOf(sent), objectOf(original), answered);
    if (sent !== undefined && original !== undefined && sameScalar(sent, answered)) return original;
    this.touched = true;
    return answered;
  }

  private items(sent: JsonArray | undefined, original: JsonArray | undefined, answered: JsonArray): JsonValue {
    if (sent?.length !== answered.length) this.touched = true;
    return answered.map((item, index) => {
      this.path.push(index);
      const restored = this.restore(sent?.[index], original?.[index], item);
      this.path.pop();
      return restored;
    });
  }

  private members(sent: JsonObject | undefined, original: JsonObject | undefined, answered: JsonObject): JsonValue {
    const keys = Object.keys(answered);
    if (sent === undefined || Object.keys(sent).length !== keys.length) this.touched = true;
    const restored: JsonObjectDraft = {};
    for (const key of keys) {
      this.path.push(key);
      if (key.includes(this.nonce)) throw new Moved();
      const item = getOwn(answered, key) ?? null;
      const before = sent === undefined ? undefined : getOwn(sent, key);
      setOwn(restored, key, this.restore(before, original === undefined ? undefined : getOwn(original, key), item));
      this.path.pop();
    }
    return restored;
  }
}

function arrayOf(value: JsonValue | undefined): JsonArray | undefined {
  return Array.isArray(value) ? value : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Numbers are the same by value: a handler may write `1.0` as `1`. */
function sameScalar(sent: JsonValue, answered: JsonValue): boolean {
  const one = numberText(sent);
  const other = numberText(answered);
  return one === undefined || other === undefined ? sent === answered : decimalForm(one) === decimalForm(other);
}

function numberText(value: JsonValue): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}
