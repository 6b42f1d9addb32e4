import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Action } from '../../src/protocol/index.ts';
import {
  allowedActions,
  defaultMode,
  defineEvent,
  eventDefinition,
  events,
  foreignEventNames,
} from '../../src/protocol/index.ts';

const guard: Action[] = ['allow', 'ask', 'defer', 'deny', 'stop'];
const transform: Action[] = ['allow', 'modify', 'stop'];
const notify: Action[] = ['allow', 'stop'];
const turnEnd: Action[] = ['allow', 'deny', 'stop'];

describe('the catalogue', () => {
  it.each<[string, Action[], string[]]>([
    ['engine:start', guard, []],
    ['engine:stop', notify, []],
    ['session:start', transform, ['context']],
    ['run:start', [...guard, 'modify'], ['context']],
    ['run:error', notify, []],
    ['prompt:submit', [...guard, 'modify'], ['message']],
    ['turn:stop', turnEnd, []],
    ['model:before', transform, ['messages', 'tools', 'request']],
    ['tool:before', [...guard, 'modify'], ['input']],
    ['tool:after', transform, ['result']],
    ['mcp:before', [...guard, 'modify'], ['headers']],
    ['permission:request', guard, []],
    ['subagent:stop', turnEnd, []],
    ['notification', notify, []],
  ])('%s', (name, actions, modifiable) => {
    const definition = eventDefinition(name);
    if (definition === undefined) throw new Error('not in the catalogue');
    expect([...allowedActions(definition, 'control')].toSorted()).toEqual(actions.toSorted());
    expect(definition.modifiable).toEqual(modifiable);
  });

  it('allows continue nowhere, and modify exactly where fields are named', () => {
    for (const definition of events.values()) {
      for (const mode of ['control', 'observe'] as const) {
        const actions = allowedActions(definition, mode);
        expect(actions.has('continue')).toBe(false);
        expect(actions.has('modify')).toBe(definition.modifiable.length > 0);
      }
    }
  });

  it('lets hooks of mere notices observe by default', () => {
    const observing = [...events.values()].filter((definition) => defaultMode(definition) === 'observe');
    expect(observing.map(({ name }) => name)).toContain('run:end');
    expect(observing.every((definition) => definition.class.notify)).toBe(true);
  });

  it('maps every foreign name to events that exist', () => {
    for (const { events: ours } of foreignEventNames.values()) {
      expect(ours.length).toBeGreaterThan(0);
      for (const name of ours) expect(events.has(name), name).toBe(true);
    }
    expect(foreignEventNames.get('PreToolUse')).toEqual({ host: 'Claude Code', events: ['tool:before'] });
  });
});

describe('eventDefinition', () => {
  it('takes custom: names for guards without modifiable fields', () => {
    const definition = eventDefinition('custom:deploy-start');
    expect(definition?.class).toEqual({ guard: true, transform: false, notify: false, turnEnd: false });
    expect(definition?.modifiable).toEqual([]);
  });

  it.each(['tool:befor', 'custom:', 'custom:No Spaces', '__proto__', 'constructor', ''])('does not know %j', (name) => {
    expect(eventDefinition(name)).toBeUndefined();
  });

  it('never lets a registered event replace one of the catalogue', () => {
    const forged = { ...defineEvent('mine:event', { class: 'notify' }), name: 'tool:before' };
    expect(eventDefinition('tool:before', new Map([['tool:before', forged]]))).toBe(events.get('tool:before'));
  });
});

describe('defineEvent', () => {
  it('makes a definition for the host to hand over', () => {
    const schema = z.strictObject({ target: z.string() });
    const deploy = defineEvent('deploy:start', { class: ['guard', 'transform'], modifiable: ['target'], schema });
    expect(eventDefinition('deploy:start')).toBeUndefined();
    expect(eventDefinition('deploy:start', new Map([[deploy.name, deploy]]))).toBe(deploy);
    expect(deploy.schema).toBe(schema);
  });

  it.each<[string, Parameters<typeof defineEvent>]>([
    ['a name of the catalogue', ['tool:before', { class: 'notify' }]],
    ['a name out of form', ['Deploy', { class: 'guard' }]],
    ['no class', ['deploy:start', { class: [] }]],
    ['a transform of nothing', ['deploy:start', { class: 'transform' }]],
    ['fields without a transform', ['deploy:start', { class: 'guard', modifiable: ['a'] }]],
    ['a prototype key', ['deploy:start', { class: 'transform', modifiable: ['__proto__'] }]],
    ['fixed keys of another field', ['deploy:start', { class: 'transform', modifiable: ['a'], fixed: { b: ['c'] } }]],
  ])('refuses %s', (_, [name, options]) => {
    expect(() => defineEvent(name, options)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});
