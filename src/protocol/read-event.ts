import type { Finding } from './errors.ts';
import { Event } from './event.ts';
import { unknownEventMessage } from './event-name-remark.ts';
import type { EventDefinition } from './events.ts';
import { eventDefinition } from './events.ts';
import type { Remark } from './json-document.ts';
import { getOwn } from './json-object.ts';
import { pointerOf } from './json-pointer.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isJsonObject } from './json-value.ts';
import { redactText } from './redact/redact-text.ts';
import { quote, remarksOf } from './schema-remarks.ts';

export interface ReadEventOptions {
  /** The event's name, where the input does not say it: the input may then be the bare data object. */
  readonly event?: string;
  /** Events that the host registered with `defineEvent`, by name. */
  readonly knownEvents?: ReadonlyMap<string, EventDefinition>;
  /** Exact values to redact in findings, beside what looks like a secret. */
  readonly secretValues?: readonly string[];
}

export type ReadEventResult =
  | { readonly ok: true; readonly event: Event }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads an event strictly: `{ "event", "id"?, "data", "context"? }`, no other keys, a known name, and data that its
 * definition's schema accepts. Never throws.
 *
 * With `options.event` an object that has `event`, or has `data` and no keys but those of an event, is taken for a
 * whole event and must name the same event or none; any other object is the data.
 *
 * @param value parsed with `parseJson`, so that its numbers are kept as they came
 */
export function readEvent(value: JsonValue, options: ReadEventOptions = {}): ReadEventResult {
  const { secretValues = [] } = options;
  const whole = wholeEvent(value, options.event);
  const remarks: Remark[] = remarksOf(Event, whole, secretValues);
  const name = isJsonObject(whole) ? getOwn(whole, 'event') : undefined;
  if (typeof name === 'string' && name !== '') {
    if (options.event !== undefined && name !== options.event) {
      const message = `expected the event ${quote(options.event)} that was asked for, got ${quote(name, secretValues)}`;
      remarks.push({ code: 'event_mismatch', message, path: ['event'] });
    }
    const unknown = unknownEventMessage(name, options.knownEvents, secretValues);
    if (unknown !== undefined) remarks.push({ code: 'unknown_event', message: unknown, path: ['event'] });
  }
  if (remarks.length > 0) return refused(remarks, secretValues);
  const event = Event.parse(whole);
  const data = dataRemarks(event, eventDefinition(event.event, options.knownEvents), secretValues);
  return data.length > 0 ? refused(data, secretValues) : { ok: true, event };
}

function wholeEvent(value: JsonValue, name: string | undefined): JsonValue {
  if (name === undefined || !isJsonObject(value)) return value;
  if (Object.hasOwn(value, 'event')) return value;
  return Object.hasOwn(value, 'data') && hasOnlyEventKeys(value)
    ? { event: name, ...value }
    : { event: name, data: value };
}

function hasOnlyEventKeys(value: JsonObject): boolean {
  return Object.keys(value).every((key) => key === 'id' || key === 'data' || key === 'context');
}

function dataRemarks(
  { event, data }: Event,
  definition: EventDefinition | undefined,
  secretValues: readonly string[],
): Remark[] {
  const remarks = definition?.schema === undefined ? [] : remarksOf(definition.schema, data, secretValues);
  return remarks.map((remark) => ({
    ...remark,
    message: `data of ${event}: ${remark.message}`,
    path: ['data', ...remark.path],
  }));
}

function refused(remarks: readonly Remark[], secretValues: readonly string[]): ReadEventResult {
  const shown = (step: string | number) => (typeof step === 'string' ? redactText(step, secretValues) : step);
  const findings = remarks.map(({ code, message, path }) => ({ code, message, pointer: pointerOf(path.map(shown)) }));
  return { ok: false, findings };
}
