import type { JsonObject, JsonObjectDraft } from '../protocol/index.ts';
import { getOwn, restoreModified, setOwn } from '../protocol/index.ts';
import type { View } from './views.ts';

export type ModifyResult =
  | {
      readonly ok: true;
      /** The event's data from here on, secrets put back. */
      readonly data: JsonObject;
      readonly touchedBesideSecrets: boolean;
    }
  | { readonly ok: false; readonly cause: 'redacted_value_moved'; readonly message: string };

/** Replaces the fields that a `modify` names; each is known to be modifiable. Pure. */
export function applyModify(fields: JsonObject, view: View): ModifyResult {
  const data: JsonObjectDraft = { ...view.original };
  let touchedBesideSecrets = false;
  for (const [field, answered] of Object.entries(fields)) {
    const restored = restoreModified({
      sent: getOwn(view.redacted.data, field),
      original: getOwn(view.original, field),
      answered,
      nonce: view.redacted.nonce,
    });
    if (!restored.ok) return { ...restored, message: `${restored.message} (in "${field}")` };
    touchedBesideSecrets ||= restored.touchedBesideSecrets;
    setOwn(data, field, restored.value);
  }
  return { ok: true, data, touchedBesideSecrets };
}
