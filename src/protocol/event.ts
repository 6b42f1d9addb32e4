import { z } from 'zod';
import { JsonObject } from './json-value.ts';

/** Where an event happened. All optional; unknown keys are kept out by the event reader. */
export interface EventContext {
  readonly runId?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly step?: string;
  readonly project?: string;
  readonly cwd?: string;
}

const place = z.string().max(4096).exactOptional();

export const EventContext: z.ZodType<EventContext> = z.strictObject({
  runId: place,
  sessionId: place,
  agentId: place,
  step: place,
  project: place,
  cwd: place,
});

/** What a runtime asks about. `data` is the event's own data; `id` makes a redelivery recognisable. */
export interface Event {
  readonly event: string;
  readonly id?: string;
  readonly data: JsonObject;
  readonly context?: EventContext;
}

export const Event: z.ZodType<Event> = z.strictObject({
  event: z.string().min(1).max(128),
  id: z.string().min(1).max(512).exactOptional(),
  data: JsonObject,
  context: z.exactOptional(EventContext),
});
