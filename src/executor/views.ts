import { randomBytes } from 'node:crypto';
import type { EventContext, JsonObject, PreparedData, RedactedEvent } from '../protocol/index.ts';
import { prepareData, redactEvent } from '../protocol/index.ts';

/** An event's data as one hook sees it. */
export interface View {
  /** Before redaction. */
  readonly original: JsonObject;
  readonly redacted: RedactedEvent;
  readonly prepared: PreparedData;
}

/** Makes views of one event's data, and makes each only once: most hooks see the same. */
export type Views = (
  data: JsonObject,
  options: { readonly reveal: readonly string[]; readonly ascii: boolean },
) => View;

export function createViews(context: EventContext, secretValues: readonly string[]): Views {
  // The first letter is rare in text, so that looking for the nonce in a large event is quick.
  const nonce = `Q${randomBytes(9).toString('hex')}`;
  const views = new Map<string, View>();
  return (data, { reveal, ascii }) => {
    const key = JSON.stringify([ascii, reveal]);
    const known = views.get(key);
    // Data changes as a whole when a hook modifies it, so the identity tells.
    if (known !== undefined && known.original === data) return known;
    const redacted = redactEvent({ data, context }, { nonce, secretValues, reveal });
    const view = { original: data, redacted, prepared: prepareData(redacted.data, { ascii }) };
    views.set(key, view);
    return view;
  };
}
