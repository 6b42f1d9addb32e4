import { z } from 'zod';

/**
 * A number that a JavaScript double cannot hold: it keeps the text in which it came, so that an
 * event with integers beyond 2^53 reaches a handler unchanged.
 */
export class JsonNumber {
  /** The number exactly as written, in JSON's grammar. */
  readonly text: string;

  constructor(text: string) {
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(text)) {
      throw new TypeError(`expected a JSON number, got ${JSON.stringify(text)}`);
    }
    this.text = text;
  }
}

/** Any JSON value; numbers that do not survive a round trip through a double are `JsonNumber`. */
export type JsonValue = null | boolean | number | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for a plain JSON object: neither null, an array nor a `JsonNumber`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** Any JSON object, left as it is: its numbers may be `JsonNumber`. */
export const JsonObject: z.ZodType<JsonObject> = z
  .custom<JsonObject>((value) => isJsonObject(value), { error: 'expected a JSON object' })
  .meta({ type: 'object' });
