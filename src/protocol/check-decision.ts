import type { Decision } from './decision.ts';
import type { EventDefinition } from './events.ts';
import { allowedActions } from './events.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isJsonObject, JsonNumber } from './json-value.ts';

/** Of `continue`. */
export const onlyInGates = '"continue" is only for a hook inside a termination gate';

export type DecisionCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: 'action_not_allowed' | 'invalid_decision'; readonly message: string };

/** The event as the hook saw it, and the hook's mode. */
export interface DecisionSetting {
  readonly data?: JsonObject;
  readonly mode?: 'control' | 'observe';
}

/**
 * Checks a well-formed decision against the event it answers. For events with fixed keys (`run:start`) pass the
 * `data` that the hook saw: without it any value of a fixed key counts as changed.
 */
export function checkDecision(
  decision: Decision,
  definition: EventDefinition,
  setting: DecisionSetting = {},
): DecisionCheck {
  const { name } = definition;
  const allowed = allowedActions(definition, setting.mode ?? 'control');
  if (decision.action === 'continue') {
    return refuse('action_not_allowed', `${onlyInGates}; at ${name} use ${list(allowed)}`);
  }
  if (!allowed.has(decision.action)) {
    return refuse(
      'action_not_allowed',
      `"${decision.action}" cannot be answered at ${name}; expected ${list(allowed)}`,
    );
  }
  return decision.action === 'modify' ? checkModify(decision.data, definition, setting.data ?? {}) : { ok: true };
}

function checkModify(data: JsonObject, definition: EventDefinition, seen: JsonObject): DecisionCheck {
  const { name, modifiable, fixed } = definition;
  const fields = Object.keys(data);
  if (fields.length === 0) {
    return refuse('invalid_decision', `"modify" at ${name} replaces nothing: expected "data" with ${list(modifiable)}`);
  }
  const foreign = fields.find((field) => !modifiable.includes(field));
  if (foreign !== undefined) {
    return refuse(
      'invalid_decision',
      `"modify" at ${name} cannot replace ${JSON.stringify(foreign)}; expected ${list(modifiable)}`,
    );
  }
  for (const [field, keys] of Object.entries(fixed)) {
    if (!fields.includes(field)) continue;
    const changed = keys.find((key) => !sameScalar(member(seen[field], key), member(data[field], key)));
    if (changed !== undefined) {
      return refuse('invalid_decision', `"modify" at ${name} must leave ${field}.${changed} as it was`);
    }
  }
  return { ok: true };
}

function refuse(cause: 'action_not_allowed' | 'invalid_decision', message: string): DecisionCheck {
  return { ok: false, cause, message };
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Fixed keys are identifiers: an object or array there is never the same. */
function sameScalar(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before instanceof JsonNumber && after instanceof JsonNumber) return before.text === after.text;
  return before === after;
}

function list(words: Iterable<string>): string {
  return [...words].map((word) => `"${word}"`).join(', ');
}
