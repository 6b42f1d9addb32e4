import type { EventDefinition } from './events.ts';
import { eventDefinition, events } from './events.ts';
import { foreignEventNames } from './foreign-event-names.ts';
import { nearestName } from './nearest-name.ts';
import { quote } from './schema-remarks.ts';

/** Says what is wrong with an event name and which was probably meant; `undefined` for a name that is known. */
export function unknownEventMessage(
  name: string,
  registered: ReadonlyMap<string, EventDefinition> | undefined,
  secretValues: readonly string[] = [],
): string | undefined {
  if (eventDefinition(name, registered) !== undefined) return undefined;
  const start = `unknown event ${quote(name, secretValues)}`;
  const foreign = foreignEventNames.get(name);
  if (foreign !== undefined) {
    return `${start}: that is a name of ${foreign.host}; here it is ${foreign.events.map((event) => `"${event}"`).join(' or ')}`;
  }
  const known = [...events.keys(), ...(registered?.keys() ?? [])];
  const near = nearestName(name, known) ?? foreignGuess(name);
  if (near !== undefined) return `${start}; did you mean "${near}"?`;
  return `${start}; expected an event of the catalogue, one that the host registered, or a name of your own after "custom:"`;
}

function foreignGuess(name: string): string | undefined {
  const near = nearestName(name, foreignEventNames.keys());
  return near === undefined ? undefined : foreignEventNames.get(near)?.events[0];
}
