import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Event } from '../protocol/index.ts';
import { canonicalJson, idempotencyText } from '../protocol/index.ts';

/** What makes one delivery of an event recognisable. */
export interface Delivery {
  readonly eventId: string;
  readonly eventHash: string;
  readonly session: string;
  /** The id was seen before in this session, with other content. */
  readonly conflict: boolean;
}

export interface Idempotency {
  deliver(event: Event): Delivery;
  /** `hk1_…`: the same for the same delivery to the same hook, in every process of this installation. */
  key(delivery: Delivery, hook: { readonly event: string; readonly packHash: string; readonly hookId: string }): string;
}

/** Remembered ids; the oldest is forgotten first. */
const maxRemembered = 10_000;

/** @param installationKey secret of this installation, so that no handler can test guesses of a redacted value. */
export function createIdempotency(installationKey: Uint8Array, project: string): Idempotency {
  const seen = new Map<string, string>();
  return {
    deliver(event) {
      const { context = {}, data } = event;
      const session = context.runId ?? context.sessionId ?? '';
      // Without an id nothing tells a redelivery from a second event with the same content: the key is new each time,
      // and hashing the content would cost time for nothing.
      if (event.id === undefined) return { eventId: randomUUID(), eventHash: '', session, conflict: false };
      const eventHash = createHash('sha256')
        .update(canonicalJson({ event: event.event, data, context: { ...context } }))
        .digest('base64url');
      const known = JSON.stringify([session, event.event, event.id]);
      const before = seen.get(known);
      if (before === undefined) {
        const [oldest] = seen.keys();
        if (seen.size >= maxRemembered && oldest !== undefined) seen.delete(oldest);
        seen.set(known, eventHash);
      }
      return { eventId: event.id, eventHash, session, conflict: before !== undefined && before !== eventHash };
    },
    key({ eventId, eventHash, session }, { event, packHash, hookId }) {
      const text = idempotencyText({ project, session, eventId, event, eventHash, packHash, hookId });
      return `hk1_${createHmac('sha256', installationKey).update(text).digest('base64url')}`;
    },
  };
}
