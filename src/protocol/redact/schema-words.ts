import type { JsonObject, JsonValue } from '../json-value.ts';
import { getOwn } from '../json-object.ts';

const typeNames: ReadonlySet<JsonValue> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);
const vocabulary: ReadonlySet<string> = new Set(
  'type title description format pattern properties required items additionalProperties anyOf oneOf allOf minLength maxLength minimum maximum minItems maxItems $ref'.split(
    ' ',
  ),
);

/** True for an object that describes a value (JSON Schema, e.g. a tool's parameter `password`) and carries none. */
export function describesValue(value: JsonObject): boolean {
  const type = getOwn(value, 'type');
  return (typeof type === 'string' && typeNames.has(type)) || typeof getOwn(value, '$ref') === 'string';
}

/** True for the keys of such a description that are harmless; `default`, `const` and `examples` may be the secret itself. */
export function isSchemaWord(key: string): boolean {
  return vocabulary.has(key);
}
