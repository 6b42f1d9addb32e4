import type { Finding } from './errors.ts';
import { unknownEventMessage } from './event-name-remark.ts';
import type { EventDefinition } from './events.ts';
import type { Remark } from './json-document.ts';
import { readJsonDocument } from './json-document.ts';
import { getOwn } from './json-object.ts';
import type { JsonValue } from './json-value.ts';
import { isJsonObject } from './json-value.ts';
import { remarksOf } from './schema-remarks.ts';
import { Vector } from './vector.ts';

export interface ReadVectorOptions {
  /** Events that the host registered with `defineEvent`, by name. */
  readonly knownEvents?: ReadonlyMap<string, EventDefinition>;
  /** `replace`: it is about to be written anew, so what stands there is not judged. Default `require`. */
  readonly expectation?: 'require' | 'replace';
}

export type ReadVectorResult =
  | {
      readonly ok: true;
      /** `expect` is absent only under `expectation: "replace"`. */
      readonly vector: Omit<Vector, 'expect'> & { readonly expect?: Vector['expect'] };
      /** Findings that name something inside the file get their place by this. */
      readonly findingsOf: (remarks: readonly Remark[]) => Finding[];
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

const Unjudged = Vector.omit({ expect: true });

/**
 * Reads a golden vector strictly. One that expects nothing is refused: it could not fail. Never throws.
 *
 * @param text the file's content
 * @param file its name, for the findings
 */
export function readVector(text: string, file: string, options: ReadVectorOptions = {}): ReadVectorResult {
  const read = readJsonDocument(text, file, { numbers: 'keep' });
  if (!read.ok) return read;
  const { document } = read;
  const { value } = document;
  const findingsOf = (remarks: readonly Remark[]): Finding[] => document.findingsOf(remarks);
  const remarks = [...eventRemarks(value, options.knownEvents), ...shapeRemarks(value, options.expectation)];
  if (remarks.length > 0) return { ok: false, findings: findingsOf(remarks) };
  const whole = Vector.safeParse(value);
  if (whole.success) return { ok: true, vector: whole.data, findingsOf };
  return { ok: true, vector: Unjudged.parse(withoutExpectation(value)), findingsOf };
}

function shapeRemarks(value: JsonValue, expectation: ReadVectorOptions['expectation']): Remark[] {
  if (expectation === 'replace') return remarksOf(Unjudged, withoutExpectation(value));
  const expected = isJsonObject(value) ? getOwn(value, 'expect') : undefined;
  const remarks = remarksOf(Vector, value);
  if (isJsonObject(value) && (expected === undefined || isEmpty(expected))) {
    const message = 'this vector expects nothing; say the action, or let hookcell test --update write what comes now';
    return [
      ...remarks.filter(({ path }) => path[0] !== 'expect'),
      { code: 'empty_expectation', message, path: ['expect'] },
    ];
  }
  if (remarks.length > 0 || !isJsonObject(expected) || getOwn(expected, 'action') !== 'modify') return remarks;
  if (Object.hasOwn(expected, 'data')) return remarks;
  const message = 'expected "data" beside the action modify: without it no change is expected at all';
  return [{ code: 'missing_key', message, path: ['expect', 'data'] }];
}

function eventRemarks(value: JsonValue, knownEvents: ReadVectorOptions['knownEvents']): Remark[] {
  const event = isJsonObject(value) ? getOwn(value, 'event') : undefined;
  const name = isJsonObject(event) ? getOwn(event, 'event') : undefined;
  const message = typeof name === 'string' && name !== '' ? unknownEventMessage(name, knownEvents) : undefined;
  return message === undefined ? [] : [{ code: 'unknown_event', message, path: ['event', 'event'] }];
}

function withoutExpectation(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'expect'));
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
