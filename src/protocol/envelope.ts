import type { EventContext } from './event.ts';
import type { JsonObject } from './json-value.ts';

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
