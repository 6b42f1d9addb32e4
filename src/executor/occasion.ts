import type { Cause, Event, EventDefinition } from '../protocol/index.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { tameText } from './handler-text.ts';
import type { Delivery, Idempotency } from './idempotency.ts';
import type { Views } from './views.ts';
import { createViews } from './views.ts';

/** One event on its way through the hooks. */
export interface Occasion {
  readonly event: Event;
  /** The event's id as it may be told to anybody. */
  readonly shownId: string | undefined;
  readonly definition: EventDefinition;
  readonly delivery: Delivery;
  readonly depth: number;
  readonly signal: AbortSignal | undefined;
  readonly views: Views;
}

/** What an event is delivered with: recognised by its id, its data made fit to be seen once for all hooks. */
export function createOccasion(
  event: Event,
  definition: EventDefinition,
  { depth = 0, signal }: DispatchOptions,
  { idempotency, secretValues }: { readonly idempotency: Idempotency; readonly secretValues: readonly string[] },
): Occasion {
  const delivery = idempotency.deliver(event);
  const views = createViews(event.context ?? {}, secretValues);
  return {
    event,
    shownId: shownEventId(event, secretValues),
    definition,
    delivery,
    depth,
    signal: ownSignal(signal),
    views,
  };
}

/** A signal of another realm is followed by one of our own: what it throws, it throws here, where nothing runs yet. */
function ownSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || isNative(signal)) return signal;
  const own = new AbortController();
  signal.addEventListener('abort', () => own.abort(), { once: true });
  if (signal.aborted) own.abort();
  return own.signal;
}

function isNative(signal: unknown): boolean {
  return signal instanceof AbortSignal;
}

/** A host may have made its id of anything: it is redacted like every text that goes into verdicts and messages. */
export function shownEventId({ id }: Event, secretValues: readonly string[]): string | undefined {
  return id === undefined ? undefined : tameText(id, secretValues);
}

export interface Refusal {
  readonly cause: Cause;
  readonly message: string;
}

/** What makes every hook of an occasion fail before it is run, if anything does. Pure. */
export function refusalOf({ shownId, delivery, depth }: Occasion, maxDepth: number): Refusal | undefined {
  if (depth > maxDepth) {
    return {
      cause: 'recursion_limit',
      message: `depth ${depth} is beyond ${maxDepth}: a hook set off an event that set off hooks again; keep it from its own event, for example by a narrower matcher`,
    };
  }
  if (delivery.conflict) {
    return {
      cause: 'idempotency_conflict',
      message: `the event id ${JSON.stringify(shownId)} came before with other content; give every event an id of its own`,
    };
  }
  return undefined;
}
