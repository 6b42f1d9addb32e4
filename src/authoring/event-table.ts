import type { Action } from '../protocol/index.ts';

/** What a hook may say at an event, in the mode of a hook that names none, and which fields of the data are known. */
interface Row<Says extends Action, Replaces extends string = never, Names extends string = never> {
  readonly says: Says;
  /** Fields that `modify` may replace. */
  readonly replaces: Replaces;
  readonly fields: Replaces | Names;
}

type Guard = 'allow' | 'deny' | 'ask' | 'defer' | 'stop';
/** Nothing comes of it, but a hook may say what it would have said. */
type Notify = Guard;
type Transform = 'allow' | 'modify' | 'stop';
type TurnEnd = 'allow' | 'deny' | 'stop';

/** The catalogue of events as a type; `test/authoring/types.test.ts` holds it against the catalogue itself. */
export interface EventTable {
  'engine:start': Row<Guard>;
  'engine:stop': Row<Notify>;
  'session:start': Row<Transform, 'context'>;
  'session:end': Row<Notify>;
  'run:start': Row<Guard | Transform, 'context'>;
  'run:end': Row<Notify>;
  'run:error': Row<Notify>;
  'prompt:submit': Row<Guard | Transform, 'message'>;
  'turn:start': Row<Notify>;
  'turn:end': Row<Notify>;
  'turn:stop': Row<TurnEnd>;
  'model:before': Row<Transform, 'messages' | 'tools' | 'request'>;
  'model:after': Row<Notify>;
  'tool:before': Row<Guard | Transform, 'input', 'tool'>;
  'tool:after': Row<Transform, 'result', 'tool'>;
  'tool:error': Row<Transform, 'result', 'tool'>;
  'mcp:before': Row<Guard | Transform, 'headers', 'tool'>;
  'mcp:after': Row<Notify, never, 'tool'>;
  'message:create': Row<Guard | Transform, 'message'>;
  'message:update': Row<Guard | Transform, 'updates'>;
  'message:created': Row<Notify>;
  'message:updated': Row<Notify>;
  'permission:request': Row<Guard, never, 'tool'>;
  'subagent:start': Row<Guard>;
  'subagent:stop': Row<TurnEnd>;
  'context:compact': Row<Guard>;
  'external:event': Row<Guard>;
  'user:attached': Row<Notify>;
  'user:detached': Row<Notify>;
  'user:value-changed': Row<Notify>;
  notification: Row<Notify>;
}

/** A hook that names no event, or one of the host's own, may be asked about anything. */
export type RowOf<Event extends string> = Event extends keyof EventTable
  ? EventTable[Event]
  : Event extends `custom:${string}`
    ? Row<Guard>
    : Row<Guard | Transform | TurnEnd, string>;
