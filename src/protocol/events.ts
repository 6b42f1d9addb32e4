import type { z } from 'zod';
import type { Action } from './decision.ts';
import { HookcellError } from './errors.ts';

/**
 * What may be said at an event. `guard`: it may be denied. `transform`: named fields may be replaced.
 * `notify`: it already happened. `turnEnd`: a turn or a subagent wants to stop. One event may be guard and transform.
 */
export interface EventClass {
  readonly guard: boolean;
  readonly transform: boolean;
  readonly notify: boolean;
  readonly turnEnd: boolean;
}

export interface EventDefinition {
  readonly name: string;
  readonly class: EventClass;
  /** Keys of the event's `data` that `modify` may replace; empty unless the event is a transform. */
  readonly modifiable: readonly string[];
  /** Keys inside a modifiable field that must keep their value, e.g. `{ context: ['runId'] }`. */
  readonly fixed: Readonly<Record<string, readonly string[]>>;
  /** `data.tool` names a tool, so that a matcher's `tools` can apply. */
  readonly namesTool: boolean;
  /** A stop or a failure here is recorded and never raised: it must not mask an error or hold up a shutdown. */
  readonly neverRaises: boolean;
  /** Checks the event's `data`; absent = any JSON object. */
  readonly schema?: z.ZodType;
  /** Largest envelope in bytes, below the executor's own bound; absent = the executor's bound. */
  readonly maxEnvelopeBytes?: number;
}

type ClassName = keyof EventClass;
type Traits = Partial<Omit<EventDefinition, 'name' | 'class'>>;

/** Names: lower-case words joined by `:`. */
export const eventNamePattern: RegExp = /^[a-z][a-z0-9-]*(?::[a-z0-9][a-z0-9-]*)+$/u;

function build(name: string, classes: readonly ClassName[], traits: Traits = {}): EventDefinition {
  return {
    name,
    class: {
      guard: classes.includes('guard'),
      transform: classes.includes('transform'),
      notify: classes.includes('notify'),
      turnEnd: classes.includes('turnEnd'),
    },
    modifiable: [],
    fixed: {},
    namesTool: false,
    neverRaises: false,
    ...traits,
  };
}

const definitions: readonly EventDefinition[] = [
  build('engine:start', ['guard']),
  build('engine:stop', ['notify'], { neverRaises: true }),
  build('session:start', ['transform'], { modifiable: ['context'] }),
  build('session:end', ['notify']),
  build('run:start', ['guard', 'transform'], { modifiable: ['context'], fixed: { context: ['runId'] } }),
  build('run:end', ['notify']),
  build('run:error', ['notify'], { neverRaises: true }),
  build('prompt:submit', ['guard', 'transform'], { modifiable: ['message'] }),
  build('turn:start', ['notify']),
  build('turn:end', ['notify']),
  build('turn:stop', ['turnEnd']),
  build('model:before', ['transform'], { modifiable: ['messages', 'tools', 'request'] }),
  build('model:after', ['notify']),
  build('tool:before', ['guard', 'transform'], { modifiable: ['input'], namesTool: true }),
  build('tool:after', ['transform'], { modifiable: ['result'], namesTool: true }),
  build('tool:error', ['transform'], { modifiable: ['result'], namesTool: true }),
  build('mcp:before', ['guard', 'transform'], { modifiable: ['headers'], namesTool: true }),
  build('mcp:after', ['notify'], { namesTool: true }),
  build('message:create', ['guard', 'transform'], { modifiable: ['message'] }),
  build('message:update', ['guard', 'transform'], { modifiable: ['updates'] }),
  build('message:created', ['notify']),
  build('message:updated', ['notify']),
  build('permission:request', ['guard'], { namesTool: true }),
  build('subagent:start', ['guard']),
  build('subagent:stop', ['turnEnd']),
  build('context:compact', ['guard']),
  build('external:event', ['guard']),
  build('user:attached', ['notify']),
  build('user:detached', ['notify']),
  build('user:value-changed', ['notify']),
  build('notification', ['notify']),
];

/** The event catalogue: every event that hookcell knows by itself, by name. */
export const events: ReadonlyMap<string, EventDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
);

/** What {@link defineEvent} takes. */
export interface EventOptions {
  readonly class: ClassName | readonly ClassName[];
  readonly modifiable?: readonly string[];
  readonly fixed?: Readonly<Record<string, readonly string[]>>;
  readonly namesTool?: boolean;
  readonly schema?: z.ZodType;
  readonly maxEnvelopeBytes?: number;
}

const neverModifiable: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Defines an event of the host's own, to be handed to the executor; there is no global registry.
 *
 * @example
 * const deployStart = defineEvent('deploy:start', { class: 'guard' });
 * @throws {HookcellError} `invalid_options`: a name of the catalogue or out of form, or fields that do not fit the class.
 */
export function defineEvent(name: string, options: EventOptions): EventDefinition {
  const { class: given, ...traits } = options;
  const classes: readonly ClassName[] = typeof given === 'string' ? [given] : given;
  const modifiable = traits.modifiable ?? [];
  const refuse = (message: string): never => {
    throw new HookcellError('invalid_options', `event ${JSON.stringify(name)}: ${message}`);
  };
  if (!eventNamePattern.test(name)) refuse('expected lower-case words joined by ":", such as "deploy:start"');
  if (events.has(name)) refuse('hookcell defines this event itself; choose another name');
  if (classes.length === 0) refuse('expected at least one class of guard, transform, notify, turnEnd');
  if (classes.includes('transform') !== modifiable.length > 0) {
    refuse('expected "modifiable" to name fields exactly when the class has "transform"');
  }
  if (modifiable.some((field) => neverModifiable.has(field))) refuse('a prototype key cannot be modifiable');
  if (Object.keys(traits.fixed ?? {}).some((field) => !modifiable.includes(field))) {
    refuse('expected "fixed" to speak of modifiable fields only');
  }
  return build(name, classes, traits);
}

/**
 * Finds a definition: the catalogue first, so that nothing registered can loosen a known event, then `registered`,
 * then `custom:…`, which is a guard without modifiable fields: it may be denied, and nothing in it may be replaced.
 */
export function eventDefinition(
  name: string,
  registered?: ReadonlyMap<string, EventDefinition>,
): EventDefinition | undefined {
  const known = events.get(name) ?? registered?.get(name);
  if (known !== undefined) return known;
  return name.startsWith('custom:') && eventNamePattern.test(name) ? build(name, ['guard']) : undefined;
}

/** The mode of a hook that names none: observe where an event only notifies, control everywhere else. */
export function defaultMode(definition: EventDefinition): 'control' | 'observe' {
  const { guard, transform, turnEnd } = definition.class;
  return guard || transform || turnEnd ? 'control' : 'observe';
}

/**
 * The actions that a hook of this mode may answer at this event. What an observing hook says is recorded and never
 * applied, so it may say anything that a guard could (a dry run), and `modify` where fields may be modified.
 * `continue` needs a termination gate and is in no set.
 */
export function allowedActions(definition: EventDefinition, mode: 'control' | 'observe'): ReadonlySet<Action> {
  const actions = new Set<Action>(['allow', 'stop']);
  const { guard, transform, turnEnd } = definition.class;
  if (transform) actions.add('modify');
  if (turnEnd) actions.add('deny');
  if (guard || mode === 'observe') actions.add('deny').add('ask').add('defer');
  return actions;
}
