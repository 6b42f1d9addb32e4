import type { Decision, JsonObject, JsonValue, Outcome, VerdictDocument } from '../protocol/index.ts';
import { HookcellError, stringifyJson } from '../protocol/index.ts';
import type { ChainResult } from './chain.ts';
import type { Occasion } from './occasion.ts';

/** The fields that hooks may replace, at the events of the catalogue. */
interface ModifiableFields {
  'session:start': 'context';
  'run:start': 'context';
  'prompt:submit': 'message';
  'model:before': 'messages' | 'tools' | 'request';
  'tool:before': 'input';
  'tool:after': 'result';
  'tool:error': 'result';
  'mcp:before': 'headers';
  'message:create': 'message';
  'message:update': 'updates';
}

/** The event's data after the hooks, by the event's name: the fields that may have been replaced are named. */
export type VerdictData<Name extends string> = JsonObject &
  (Name extends keyof ModifiableFields ? { readonly [Field in ModifiableFields[Name]]?: JsonValue } : unknown);

/**
 * Merged result of one event. `data` is the whole data of the event as it must be used from here on, present when a hook
 * replaced part of it; it is not redacted.
 */
export interface Verdict<Name extends string = string> extends VerdictDocument {
  readonly event: Name;
  readonly data?: VerdictData<Name>;
  /** Outcomes of the observing hooks, when the last of them is through. Never rejects. */
  readonly observed: Promise<readonly Outcome[]>;
}

/** Merges what the controlling hooks said. Pure. */
export function verdictDocument(
  { event, shownId }: Pick<Occasion, 'event' | 'shownId'>,
  chain: ChainResult,
): VerdictDocument {
  const modified = chain.modifiedFields.size > 0;
  return {
    version: 1,
    event: event.event,
    ...(shownId === undefined ? {} : { eventId: shownId }),
    decision: finalDecision(chain),
    ...(modified ? { data: chain.data } : {}),
    failedOpen: chain.failedOpen,
    outcomes: chain.outcomes,
  };
}

/** A `modify` carries every replaced field in its final state, secrets put back. */
function finalDecision({ decision, data, modifiedFields }: ChainResult): Decision {
  if (decision?.action !== 'modify') return decision ?? { action: 'allow' };
  const fields = Object.fromEntries([...modifiedFields].map((field) => [field, data[field] ?? null]));
  return { ...decision, data: fields };
}

/** The verdict as a plain document, without `observed`. */
export function verdictToJson(verdict: VerdictDocument): VerdictDocument {
  const { version, event, eventId, decision, data, failedOpen, outcomes } = verdict;
  return {
    version,
    event,
    ...(eventId === undefined ? {} : { eventId }),
    decision,
    ...(data === undefined ? {} : { data }),
    failedOpen,
    outcomes,
  };
}

/** The verdict as one line of JSON; numbers beyond double precision keep their digits, which `JSON.stringify` cannot do. */
export function stringifyVerdict(verdict: VerdictDocument): string {
  const document = verdictToJson(verdict);
  return isJson(document) ? stringifyJson(document) : '';
}

/** A document holds JSON values alone, its optional keys left out and never undefined; only the types do not know. */
function isJson(document: unknown): document is JsonValue {
  return typeof document === 'object';
}

/** Narrows a verdict to the event that it is about. */
export function isVerdictOf<Name extends string>(verdict: Verdict, event: Name): verdict is Verdict<Name> {
  return verdict.event === event;
}

/** Thrown by {@link assertAllowed}; `code` is `hook_denied`. */
export class HookDeniedError extends HookcellError {
  override readonly name = 'HookDeniedError';
  readonly verdict: VerdictDocument;

  constructor(verdict: VerdictDocument) {
    const { action } = verdict.decision;
    const reason = 'reason' in verdict.decision ? verdict.decision.reason : undefined;
    super('hook_denied', `${verdict.event}: ${action}${reason === undefined ? '' : `: ${reason}`}`);
    this.verdict = verdict;
  }
}

/**
 * For people who prefer exceptions: returns when the action may go on (`allow`, `modify`).
 *
 * @throws {HookDeniedError} for everything else, `ask` and `defer` included.
 */
export function assertAllowed(verdict: VerdictDocument): void {
  const { action } = verdict.decision;
  if (action !== 'allow' && action !== 'modify') throw new HookDeniedError(verdict);
}
