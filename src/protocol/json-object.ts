import type { JsonObject, JsonValue } from './json-value.ts';

/** An object under construction: ordinary, with every key as its own property. */
export type JsonObjectDraft = Record<string, JsonValue>;

/** Sets an own property, also for `__proto__`, where plain assignment would change the prototype instead. */
export function setOwn(target: JsonObjectDraft, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else target[key] = value;
}

/** Reads an own property; an inherited one (`toString`, `constructor`) is `undefined`. */
export function getOwn(source: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(source, key) ? source[key] : undefined;
}
