import type { JsonArray, JsonValue } from '../protocol/index.ts';
import { cleanForPeople, getOwn, isJsonObject, JsonNumber } from '../protocol/index.ts';
import type { View } from './views.ts';

/** Shorter numbers stand in too many other words to be hidden by their text. */
const minNumber = 4;

/**
 * What must not come back through a handler's mouth: the values that the host names as secret, and what a hook was shown
 * in clear; each also as it looks when its control characters are gone, as they are in what is said.
 */
export function unsayable(secretValues: readonly string[], { original, redacted }: View): string[] {
  const revealed = redacted.revealed.flatMap((pointer) => wordsOf(valueAt({ hook: { data: original } }, pointer)));
  return [...new Set([...secretValues, ...revealed].flatMap((value) => [value, cleanForPeople(value)]))];
}

/** As text; a number in each way in which programs write it. */
function wordsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'number' && !(value instanceof JsonNumber)) return [];
  const words = value instanceof JsonNumber ? [value.text, String(Number(value.text))] : [String(value)];
  return words.filter((word) => word.length >= minNumber);
}

function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of pointer.slice(1).split('/'))
    value = step(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return value;
}

function step(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return (value as JsonArray)[Number(key)];
  return isJsonObject(value) ? getOwn(value, key) : undefined;
}
