import { z } from 'zod';
import { Configuration } from './configuration.ts';
import { Answer } from './decision.ts';
import { Envelope } from './envelope.ts';
import { Event } from './event.ts';
import { Outcome, VerdictDocument } from './outcome.ts';
import { Pack } from './pack.ts';
import { Vector } from './vector.ts';

/** The documents that have a published JSON Schema, by the name that `hookcell schema` takes. */
export const schemas = {
  pack: Pack,
  event: Event,
  envelope: Envelope,
  answer: Answer,
  outcome: Outcome,
  verdict: VerdictDocument,
  vector: Vector,
  config: Configuration,
} as const satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof schemas;

export const schemaNames: readonly SchemaName[] = [
  'pack',
  'event',
  'envelope',
  'answer',
  'outcome',
  'verdict',
  'vector',
  'config',
];

/**
 * The JSON Schema (draft 2020-12) of a document, made from the definition that the readers use. It cannot say
 * everything that they check (known events, duplicate ids, secrets in a pack).
 */
export function jsonSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(schemas[name], {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema: part }) => {
      // "readonly" speaks of our types, not of who may write the file.
      delete part.readOnly;
    },
  });
  return { $schema, title: `hookcell ${name}, version 1`, ...rest };
}
