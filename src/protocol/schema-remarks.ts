import { z } from 'zod';
import { expectation } from './expectation.ts';
import type { JsonPath, Remark } from './json-document.ts';
import { getOwn } from './json-object.ts';
import type { JsonValue } from './json-value.ts';
import { isJsonObject, JsonNumber } from './json-value.ts';
import { nearestName } from './nearest-name.ts';
import { redactText } from './redact/redact-text.ts';
import { showText } from './shown-text.ts';

/** Unknown keys of one object for which a nearest one is looked up: guessing is the dear part of a hostile file. */
const maxGuesses = 100;

/**
 * Everything in `value` that does not fit the schema, each as "expected …, got …".
 *
 * @param secretValues exact values to redact in what is quoted, beside what looks like a secret
 */
export function remarksOf(schema: z.ZodType, value: JsonValue, secretValues: readonly string[] = []): Remark[] {
  return remarksOfResult(schema.safeParse(value, { error: expectation }), schema, value, secretValues);
}

/** The same for a value that was parsed already, with `expectation` as its error map. */
export function remarksOfResult(
  result: z.ZodSafeParseResult<unknown>,
  schema: z.ZodType,
  value: JsonValue,
  secretValues: readonly string[] = [],
): Remark[] {
  if (result.success) return [];
  const remarks = result.error.issues.flatMap((issue) => remarksOfIssue(issue, schema, value, secretValues));
  // Two rules of one value may share their text ("" is too short and blank): it is said once.
  const seen = new Set<string>();
  return remarks.filter(({ path, message }) => seen.size < seen.add(JSON.stringify([path, message])).size);
}

/** The first of them, for whoever tells one alone: text of a handler may have a hundred thousand wrong keys. */
export function firstRemarkOf(schema: z.ZodType, value: JsonValue): Remark | undefined {
  const [issue] = schema.safeParse(value, { error: expectation }).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const first = issue.code === 'unrecognized_keys' ? { ...issue, keys: issue.keys.slice(0, 1) } : issue;
  return remarksOfIssue(first, schema, value, [])[0];
}

function remarksOfIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  root: JsonValue,
  secretValues: readonly string[],
): Remark[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path, root);
    return issue.keys.map((key, index) => {
      const near = index < maxGuesses ? nearestName(key, known) : undefined;
      const others = known.length === 0 ? 'remove it' : `expected one of ${known.join(', ')}`;
      const remedy = near === undefined ? others : `did you mean "${near}"?`;
      return {
        code: 'unknown_key',
        message: `unknown key ${quote(key, secretValues)}; ${remedy}`,
        path: [...path, key],
        atKey: true,
      };
    });
  }
  if (issue.code === 'invalid_key') {
    // The key of a record has rules of its own; what they say is inside.
    const [inner] = issue.issues;
    const key = String(path.at(-1) ?? '');
    return [
      {
        code: 'invalid_key',
        message: `${inner?.message ?? issue.message}, got ${quote(key, secretValues)}`,
        path,
        atKey: true,
      },
    ];
  }
  const value = valueAt(root, path);
  if (value === undefined) {
    const key = String(path.at(-1) ?? '');
    return [{ code: 'missing_key', message: `the key "${key}" is missing; ${issue.message}`, path }];
  }
  const got = `${describe(value, secretValues)}${advice(path, value)}`;
  return [{ code: 'invalid_value', message: `${issue.message}, got ${got}`, path }];
}

/** The two mistakes that other tools teach: 0 for "no limit", and a number in quotes. */
function advice(path: JsonPath, value: JsonValue): string {
  if (value === 0 && String(path.at(-1)).endsWith('Ms'))
    return ' (0 does not mean "no limit" here: every hook has one)';
  if (typeof value === 'string' && /^\d+$/u.test(value)) return ' (a number is written without quotes)';
  return '';
}

/** A value as it may stand in a message: short, printable, without the secrets in it. */
export function describe(value: JsonValue, secretValues: readonly string[] = []): string {
  if (typeof value === 'string') return quote(value, secretValues);
  if (value instanceof JsonNumber) return redactText(value.text, secretValues).slice(0, 60);
  if (typeof value === 'number') return redactText(String(value), secretValues);
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'object' && value !== null) return value.length === 0 ? 'an empty array' : 'an array';
  return String(value);
}

export function quote(text: string, secretValues: readonly string[] = []): string {
  return showText(redactText(text, secretValues));
}

function valueAt(root: JsonValue, path: JsonPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (isJsonObject(value)) value = getOwn(value, String(step));
    else if (Array.isArray(value) && typeof step === 'number') value = (value as readonly JsonValue[])[step];
    else return undefined;
  }
  return value;
}

/** The keys of the object schema at a path of the value, through arrays, optional and readonly wrappers. */
function knownKeys(schema: z.ZodType, path: JsonPath, root: JsonValue): string[] {
  let current: z.core.$ZodType | undefined = schema;
  for (const [index, step] of [...path, undefined].entries()) {
    while (
      current instanceof z.ZodOptional ||
      current instanceof z.ZodReadonly ||
      current instanceof z.ZodExactOptional
    ) {
      current = current.def.innerType;
    }
    if (current instanceof z.ZodDiscriminatedUnion) current = optionOf(current, valueAt(root, path.slice(0, index)));
    if (step === undefined) break;
    if (current instanceof z.ZodObject) current = (current.shape as Readonly<Record<string, z.core.$ZodType>>)[step];
    else if (current instanceof z.ZodRecord) current = current.def.valueType;
    else current = current instanceof z.ZodArray ? current.def.element : undefined;
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

/** The option that the value itself names. */
function optionOf({ def }: z.ZodDiscriminatedUnion, value: JsonValue | undefined): z.core.$ZodType | undefined {
  const named = isJsonObject(value) ? getOwn(value, def.discriminator) : undefined;
  return def.options.find(
    (option) =>
      option instanceof z.ZodObject &&
      z.safeParse((option.shape as z.core.$ZodShape)[def.discriminator] ?? z.never(), named).success,
  );
}
