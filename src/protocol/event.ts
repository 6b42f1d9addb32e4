import type { JsonObject } from './json-value.ts';

/** Where an event happened. All optional; unknown keys are kept out by the event reader. */
export interface EventContext {
  readonly runId?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly step?: string;
  readonly project?: string;
  readonly cwd?: string;
}

/** What a runtime asks about. `data` is the event's own data; `id` makes a redelivery recognisable. */
export interface Event {
  readonly event: string;
  readonly id?: string;
  readonly data: JsonObject;
  readonly context?: EventContext;
}
