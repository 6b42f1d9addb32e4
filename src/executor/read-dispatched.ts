import type { Event, EventContext, EventDefinition, Finding } from '../protocol/index.ts';
import { eventDefinition, HookcellError, jsonFromUnknown, readEvent } from '../protocol/index.ts';

/** An event as a host writes it: plain data. */
export interface EventInput<Name extends string = string> {
  readonly event: Name;
  /** Makes a redelivery recognisable; other content under the same id is refused. */
  readonly id?: string;
  readonly data: object;
  readonly context?: EventContext;
}

/**
 * Copies and checks what a caller hands over, so that nothing it does later reaches a hook.
 *
 * @throws {HookcellError} `invalid_event`, with findings.
 */
export function readDispatched(
  input: EventInput,
  knownEvents: ReadonlyMap<string, EventDefinition>,
): { readonly event: Event; readonly definition: EventDefinition } {
  const copy = jsonFromUnknown(input);
  if (!copy.ok) throw invalidEvent([{ code: 'not_json', message: copy.message, pointer: copy.pointer }]);
  const read = readEvent(copy.value, { knownEvents });
  if (!read.ok) throw invalidEvent(read.findings);
  const definition = eventDefinition(read.event.event, knownEvents);
  if (definition === undefined)
    throw invalidEvent([{ code: 'unknown_event', message: `unknown event ${read.event.event}`, pointer: '/event' }]);
  return { event: read.event, definition };
}

function invalidEvent(findings: readonly Finding[]): HookcellError {
  const [first] = findings;
  return new HookcellError('invalid_event', `invalid event: ${first?.message ?? ''} at ${first?.pointer ?? '/'}`, {
    findings,
  });
}
