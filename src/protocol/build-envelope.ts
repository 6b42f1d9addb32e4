import type { Envelope, RedactedValue } from './envelope.ts';
import type { EventContext } from './event.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { stringifyJson } from './stringify-json.ts';
import type { StringifyJsonOptions } from './stringify-json.ts';

/** Redacted event data with its text, written once for all the hooks that get the same data. */
export interface PreparedData {
  readonly data: JsonObject;
  readonly text: string;
  readonly ascii: boolean;
}

/** Writes the data of an event once; with `ascii`, only for handlers that asked for it. */
export function prepareData(data: JsonObject, options: StringifyJsonOptions = {}): PreparedData {
  return { data, text: stringifyJson(data, options), ascii: options.ascii ?? false };
}

export interface EnvelopeParts {
  readonly idempotencyKey: string;
  readonly hook: Omit<Envelope['hook'], 'data'>;
  /** Redacted already. Its `ascii` holds for the whole envelope. */
  readonly data: PreparedData;
  readonly context: EventContext;
  readonly redacted: readonly RedactedValue[];
}

/** Builds the one document of a handler's stdin: UTF-8, no BOM, one trailing newline. */
export function buildEnvelope(parts: EnvelopeParts): { envelope: Envelope; bytes: Uint8Array } {
  const { idempotencyKey, data, context, redacted } = parts;
  const { id, pack, event, attempt, depth, timeoutMs } = parts.hook;
  const hook = { id, pack, event, attempt, depth, timeoutMs };
  const write = (value: JsonValue) => stringifyJson(value, { ascii: data.ascii });
  const text =
    `{"version":1,"idempotencyKey":${write(idempotencyKey)}` +
    `,"hook":${write(hook).slice(0, -1)},"data":${data.text}}` +
    `,"context":${write({ ...context })}` +
    `,"redacted":${write(redacted.map(({ pointer, kind }) => ({ pointer, kind })))}}\n`;
  return {
    envelope: { version: 1, idempotencyKey, hook: { ...hook, data: data.data }, context, redacted },
    bytes: new TextEncoder().encode(text),
  };
}
