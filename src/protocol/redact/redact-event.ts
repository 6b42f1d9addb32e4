import type { RedactedValue } from '../envelope.ts';
import type { EventContext } from '../event.ts';
import type { JsonObjectDraft } from '../json-object.ts';
import { setOwn } from '../json-object.ts';
import { pointerOf } from '../json-pointer.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { isJsonObject, JsonNumber } from '../json-value.ts';
import { secretKindOfKey, secretKindByValue } from './key-rules.ts';
import { Markers, unusedNonce } from './markers.ts';
import { isFlatPairsKey, isPairs, kindOfName, kindOfNamedValue } from './named-values.ts';
import { describesValue, isSchemaWord } from './schema-words.ts';
import type { SecretValues } from './secret-values.ts';
import { prepareSecretValues } from './secret-values.ts';
import { findSecrets, replaceSpans } from './spans.ts';

export interface RedactOptions {
  /** Letters and digits, unguessable. If it occurs in the event, another is made from it. */
  readonly nonce: string;
  /** Exact values that the host names as secret. Values under 4 characters count only as a whole string. */
  readonly secretValues?: readonly string[];
  /** RFC 6901 pointers into the envelope (`/hook/data/…`); what they name, and all beneath, stays in clear. The pointer to the whole envelope reveals nothing. */
  readonly reveal?: readonly string[];
}

export interface RedactedEvent {
  readonly data: JsonObject;
  readonly context: EventContext;
  /** One entry a marker, with pointers into the envelope. */
  readonly redacted: readonly RedactedValue[];
  /** The scalar that stood at each redacted pointer. */
  readonly originals: ReadonlyMap<string, string | number | JsonNumber>;
  /** Pointers that would have been redacted but for `reveal`. */
  readonly revealed: readonly string[];
  /** The nonce in the markers; `restoreModified` needs it. */
  readonly nonce: string;
}

/**
 * Replaces every secret of an event by a marker `[REDACTED:<kind>#<nonce>-<n>]` (PROTOCOL section 8). Keys, nesting,
 * lengths of arrays and everything that is no secret stay as they are; unchanged parts are shared, not copied.
 *
 * Under a secret key every string and number is replaced, through arrays and objects; `true`, `false`, `null`, the
 * empty string and the words of a JSON Schema (`{ "password": { "type": "string" } }`) stay. Keys themselves are
 * never replaced, not even when a key is a secret: hooks match on them.
 */
export function redactEvent(
  input: { readonly data: JsonObject; readonly context: EventContext },
  options: RedactOptions,
): RedactedEvent {
  const context: JsonObject = { ...input.context };
  const nonce = unusedNonce(options.nonce, [input.data, context]);
  const walk = new Walk(
    new Markers(nonce),
    prepareSecretValues(options.secretValues),
    (options.reveal ?? []).filter((pointer) => pointer !== ''),
  );
  const data = walk.object(input.data, ['hook', 'data']);
  return {
    data,
    context: walk.object(context, ['context']),
    redacted: walk.redacted,
    originals: walk.originals,
    revealed: walk.revealed,
    nonce,
  };
}

class Walk {
  readonly redacted: RedactedValue[] = [];
  readonly originals = new Map<string, string | number | JsonNumber>();
  readonly revealed: string[] = [];
  private readonly markers: Markers;
  private readonly secrets: SecretValues;
  private readonly reveal: readonly string[];
  private readonly kinds = new Map<string, string | undefined>();
  private path: (string | number)[] = [];

  constructor(markers: Markers, secrets: SecretValues, reveal: readonly string[]) {
    this.markers = markers;
    this.secrets = secrets;
    this.reveal = reveal;
  }

  object(value: JsonObject, path: readonly string[]): JsonObject {
    this.path = [...path];
    return this.members(value, undefined);
  }

  /** `kind` = what the key above announces, if it is a secret's. */
  private value(value: JsonValue, kind: string | undefined): JsonValue {
    if (typeof value === 'string') return this.text(value, kind);
    if (typeof value === 'number' || value instanceof JsonNumber) return this.number(value, kind);
    if (Array.isArray(value)) return this.items(value, kind);
    return isJsonObject(value) ? this.members(value, kind) : value;
  }

  private text(value: string, kind: string | undefined): JsonValue {
    if (value === '') return value;
    if (kind !== undefined) return this.replace(value, () => this.mark(kind));
    const spans = findSecrets(value, this.secrets);
    return spans.length === 0
      ? value
      : this.replace(value, () => replaceSpans(value, spans, (found) => this.mark(found)));
  }

  private number(value: number | JsonNumber, keyKind: string | undefined): JsonValue {
    const kind = this.isSecretNumber(value) ? 'secret-value' : keyKind;
    return kind === undefined ? value : this.replace(value, () => this.mark(kind));
  }

  private isSecretNumber(value: number | JsonNumber): boolean {
    const { numbers } = this.secrets;
    return numbers.size > 0 && numbers.has(value instanceof JsonNumber ? value.text : String(value));
  }

  private items(value: readonly JsonValue[], kind: string | undefined): JsonValue {
    const flat = isFlatPairsKey(this.path.at(-1));
    const pairs = !flat && isPairs(value);
    let copy: JsonValue[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index] ?? null;
      this.path.push(index);
      const named = flat && index % 2 === 1 ? kindOfName(value[index - 1]) : undefined;
      const redacted = pairs && Array.isArray(item) ? this.pair(item, kind) : this.value(item, named ?? kind);
      if (redacted !== item) (copy ??= [...value])[index] = redacted;
      this.path.pop();
    }
    return copy ?? value;
  }

  private pair(pair: readonly JsonValue[], kind: string | undefined): JsonValue {
    const [name = null, value = null] = pair;
    this.path.push(0);
    const redactedName = this.value(name, kind);
    this.path[this.path.length - 1] = 1;
    const redacted = this.value(value, kindOfName(name) ?? kind);
    this.path.pop();
    return redactedName === name && redacted === value ? pair : [redactedName, redacted];
  }

  private members(value: JsonObject, kind: string | undefined): JsonObject {
    const namedKind = kindOfNamedValue(value);
    const described = kind !== undefined && describesValue(value);
    let copy: JsonObjectDraft | undefined;
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      this.path.push(key);
      const above = key === 'value' ? (namedKind ?? kind) : kind;
      const redacted = this.value(item, this.kindOf(key, item) ?? (described && isSchemaWord(key) ? undefined : above));
      if (redacted !== item) setOwn((copy ??= { ...value }), key, redacted);
      this.path.pop();
    }
    return copy ?? value;
  }

  private kindOf(key: string, value: JsonValue): string | undefined {
    const byValue = secretKindByValue(key, value);
    if (byValue !== undefined) return byValue;
    const known = this.kinds.get(key);
    if (known !== undefined || this.kinds.has(key)) return known;
    const kind = secretKindOfKey(key);
    this.kinds.set(key, kind);
    return kind;
  }

  private replace<Value extends string | number | JsonNumber>(value: Value, marked: () => string): Value | string {
    const pointer = pointerOf(this.path);
    if (this.reveal.some((granted) => pointer === granted || pointer.startsWith(`${granted}/`))) {
      this.revealed.push(pointer);
      return value;
    }
    this.originals.set(pointer, value);
    return marked();
  }

  private mark(kind: string): string {
    this.redacted.push({ pointer: pointerOf(this.path), kind });
    return this.markers.next(kind);
  }
}
