import { getOwn } from '../json-object.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { secretKindOfKey } from './key-rules.ts';

const nameKeys = ['name', 'key', 'header', 'field'];

/** What `{ "name": "Authorization", "value": "…" }` says of its `value`: names of headers and variables are keys as well. */
export function kindOfNamedValue(holder: JsonObject): string | undefined {
  if (!Object.hasOwn(holder, 'value')) return undefined;
  for (const key of nameKeys) {
    const name = getOwn(holder, key);
    const kind = typeof name === 'string' ? secretKindOfKey(name) : undefined;
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** True for `[["Authorization", "…"], …]`: every item is a name and a value. */
export function isPairs(items: readonly JsonValue[]): boolean {
  return (
    items.length > 0 && items.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string')
  );
}

/** True for the key of a list in which names and values alternate; in other lists of words one says nothing of the next. */
export function isFlatPairsKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && /^raw[_-]?(?:headers|trailers)$/i.test(key);
}

/** What the name before a value in a list says of it. */
export function kindOfName(name: JsonValue | undefined): string | undefined {
  return typeof name === 'string' ? secretKindOfKey(name) : undefined;
}
