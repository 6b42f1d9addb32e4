import type { Action, Envelope } from '../protocol/index.ts';
import type { EventTable, RowOf } from './event-table.ts';

/** What JSON can say. A member that is `undefined` is not written. */
export type Json = null | boolean | number | string | readonly Json[] | JsonFields;
interface JsonFields {
  readonly [key: string]: Json | undefined;
}

/** An event of the catalogue, or a `custom:…` one. */
export type EventName = keyof EventTable | `custom:${string}`;

/**
 * The data of an event. hookcell checks no more of it than that it is a JSON object: the fields that an event is known
 * for are named here, and hold whatever the host, or who drives it, put there.
 *
 * @example
 * function pathOf({ input }: DataOf<'tool:before'>): string | undefined {
 *   const path = typeof input === 'object' && input !== null && 'path' in input ? input.path : undefined;
 *   return typeof path === 'string' ? path : undefined;
 * }
 */
export type DataOf<Event extends string = string> = Event extends string
  ? { readonly [Field in RowOf<Event>['fields']]?: Json } & JsonFields
  : never;

/**
 * What a handler gets: the envelope, with the data of its event.
 *
 * @example
 * const kinds = (envelope: EnvelopeOf<'tool:before'>): string[] => envelope.redacted.map(({ kind }) => kind);
 */
export interface EnvelopeOf<Event extends string = string> extends Omit<Envelope, 'hook'> {
  readonly hook: Omit<Envelope['hook'], 'event' | 'data'> & { readonly event: Event; readonly data: DataOf<Event> };
}

interface Why {
  readonly reason?: string | undefined;
}
interface Told extends Why {
  /** For the model. */
  readonly feedback?: string | JsonFields | undefined;
}
type Saying<Name extends Action, Replaces extends string> = { readonly action: Name } & (Name extends 'modify'
  ? Why & { readonly data: { readonly [Field in Replaces]?: Json } }
  : Name extends 'deny' | 'stop'
    ? Told
    : Why);
type Sayings<Name extends Action, Replaces extends string> = Name extends Action ? Saying<Name, Replaces> : never;

/**
 * What may be said at an event by a hook in the event's default mode; `modify` names the fields that may be replaced.
 *
 * @example
 * const decision: DecisionOf<'tool:before'> = { action: 'modify', data: { input: { path: 'b.txt' } } };
 */
export type DecisionOf<Event extends string = string> = Event extends string
  ? Sayings<RowOf<Event>['says'], RowOf<Event>['replaces']>
  : never;

/**
 * What a handler returns.
 *
 * @example
 * const answer: AnswerOf<'turn:stop'> = { decision: { action: 'deny', feedback: 'run the tests first' } };
 */
export interface AnswerOf<Event extends string = string> {
  readonly decision: DecisionOf<Event>;
}

/**
 * One envelope in, one answer out.
 *
 * @example
 * const allow: HookHandler<'tool:before'> = () => ({ decision: { action: 'allow' } });
 */
export type HookHandler<Event extends string = string> = (
  envelope: EnvelopeOf<Event>,
) => AnswerOf<Event> | Promise<AnswerOf<Event>>;
