import { describe, expect, it } from 'vitest';
import type { Decision, DecisionSetting } from '../../src/protocol/index.ts';
import { checkDecision, eventDefinition, JsonNumber } from '../../src/protocol/index.ts';

function check(event: string, decision: Decision, setting?: DecisionSetting) {
  const definition = eventDefinition(event);
  if (definition === undefined) throw new Error(`unknown event ${event}`);
  return checkDecision(decision, definition, setting);
}

describe('checkDecision', () => {
  it.each<[string, Decision]>([
    ['tool:before', { action: 'deny' }],
    ['tool:before', { action: 'modify', data: { input: { path: 'b' } } }],
    ['tool:after', { action: 'modify', data: { result: 'x' } }],
    ['turn:stop', { action: 'deny', feedback: 'tests fail' }],
    ['run:end', { action: 'stop' }],
    ['custom:x', { action: 'defer' }],
  ])('accepts at %s %j', (event, decision) => {
    expect(check(event, decision)).toEqual({ ok: true });
  });

  it.each<[string, Decision, string, string]>([
    ['tool:before', { action: 'continue', feedback: 'again' }, 'action_not_allowed', 'termination gate'],
    ['turn:stop', { action: 'continue', feedback: 'again' }, 'action_not_allowed', 'termination gate'],
    ['turn:stop', { action: 'ask' }, 'action_not_allowed', '"deny"'],
    ['run:end', { action: 'deny' }, 'action_not_allowed', '"allow", "stop"'],
    ['tool:after', { action: 'deny' }, 'action_not_allowed', '"modify"'],
    ['permission:request', { action: 'modify', data: { input: 1 } }, 'action_not_allowed', 'permission:request'],
    ['custom:x', { action: 'modify', data: { a: 1 } }, 'action_not_allowed', 'custom:x'],
    ['tool:before', { action: 'modify', data: {} }, 'invalid_decision', '"input"'],
    [
      'tool:before',
      { action: 'modify', data: { input: 1, tool: 'rm' } },
      'invalid_decision',
      '"tool"; expected "input"',
    ],
    ['tool:before', { action: 'modify', data: { result: 'x' } }, 'invalid_decision', 'expected "input"'],
  ])('refuses at %s %j', (event, decision, cause, text) => {
    expect(check(event, decision)).toEqual({ ok: false, cause, message: expect.stringContaining(text) });
  });

  it('keeps runId of run:start fixed', () => {
    const seen = { context: { runId: 'r1', user: 'a' } };
    const modify = (context: Decision & { action: 'modify' }) => check('run:start', context, { data: seen });
    expect(modify({ action: 'modify', data: { context: { runId: 'r1', user: 'b' } } })).toEqual({ ok: true });
    for (const context of [{ runId: 'r2' }, { user: 'b' }, null, [], { runId: ['r1'] }]) {
      const result = modify({ action: 'modify', data: { context } });
      expect(result, JSON.stringify(context)).toMatchObject({ ok: false, cause: 'invalid_decision' });
      expect(result).toHaveProperty('message', expect.stringContaining('context.runId'));
    }
  });

  it('compares fixed numbers by their text, and takes no data for a change', () => {
    const data = { context: { runId: new JsonNumber('12345678901234567890') } };
    const same: Decision = { action: 'modify', data: { context: { runId: new JsonNumber('12345678901234567890') } } };
    const other: Decision = { action: 'modify', data: { context: { runId: new JsonNumber('12345678901234567891') } } };
    expect(check('run:start', same, { data }).ok).toBe(true);
    expect(check('run:start', other, { data }).ok).toBe(false);
    expect(check('run:start', same).ok).toBe(false);
  });

  it('lets an observing hook say what a guard could, but not continue', () => {
    expect(check('tool:after', { action: 'deny' }, { mode: 'observe' }).ok).toBe(true);
    expect(check('run:end', { action: 'ask' }, { mode: 'observe' }).ok).toBe(true);
    expect(check('run:end', { action: 'modify', data: { a: 1 } }, { mode: 'observe' }).ok).toBe(false);
    expect(check('run:end', { action: 'continue', feedback: '' }, { mode: 'observe' }).ok).toBe(false);
  });
});
