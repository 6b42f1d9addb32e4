import { z } from 'zod';
import { EventContext } from './event.ts';
import { JsonObject } from './json-value.ts';
import { bounds } from './limits.ts';

/** One replaced value: where it stood (RFC 6901 pointer into the envelope) and what kind it was. */
export interface RedactedValue {
  readonly pointer: string;
  readonly kind: string;
}

/** The one document a handler gets on stdin (PROTOCOL section 2). */
export interface Envelope {
  readonly version: 1;
  readonly idempotencyKey: string;
  readonly hook: {
    readonly id: string;
    readonly pack: string;
    readonly event: string;
    readonly attempt: number;
    readonly depth: number;
    readonly timeoutMs: number;
    readonly data: JsonObject;
  };
  readonly context: EventContext;
  readonly redacted: readonly RedactedValue[];
}

export const Envelope: z.ZodType<Envelope> = z.strictObject({
  version: z.literal(1),
  idempotencyKey: z.string().regex(/^hk1_[A-Za-z0-9_-]{43}$/u),
  hook: z.strictObject({
    id: z.string(),
    pack: z.string(),
    event: z.string(),
    attempt: z.int().min(1),
    depth: z.int().min(0).max(bounds.maxDepth.ceiling),
    timeoutMs: z.int().min(1).max(bounds.timeoutMs.ceiling),
    data: JsonObject,
  }),
  context: EventContext,
  redacted: z.array(z.strictObject({ pointer: z.string(), kind: z.string() })),
});
