import { describe, expect, test } from 'vitest';
import { applyFailurePolicy, restrictionAt } from '../../src/executor/failure-policy.ts';
import { causes, causesThatAlwaysBlock, eventDefinition, events } from '../../src/protocol/index.ts';
import type { EventDefinition } from '../../src/protocol/index.ts';

function definitionOf(name: string): EventDefinition {
  const definition = eventDefinition(name);
  if (definition === undefined) throw new Error(`no event ${name}`);
  return definition;
}

const failure = { hook: { pack: 'p', id: 'h' }, cause: 'timeout', message: 'timeout after 5 ms' } as const;

describe('a failure that blocks', () => {
  test.each([
    ['tool:before', 'deny'],
    ['tool:after', 'deny'],
    ['session:start', 'deny'],
    ['turn:stop', 'stop'],
    ['subagent:stop', 'stop'],
    ['turn:start', 'stop'],
    ['run:error', undefined],
    ['engine:stop', undefined],
  ])('is at %s: %s', (name, action) => {
    const effect = applyFailurePolicy(failure, 'block', definitionOf(name));
    expect(effect.failedOpen).toBe(false);
    expect(effect.decision?.action).toBe(action);
  });

  test('says which hook and why', () => {
    expect(applyFailurePolicy(failure, 'block', definitionOf('tool:before')).decision).toEqual({
      action: 'deny',
      reason: 'p/h could not be asked: timeout after 5 ms',
    });
  });

  test('keeps what the hook said beside it', () => {
    const said = { ...failure, decision: { action: 'deny', reason: 'bad path' } } as const;
    expect(applyFailurePolicy(said, 'block', definitionOf('tool:before')).decision).toEqual({
      action: 'deny',
      reason: 'p/h could not be asked: timeout after 5 ms; it said: bad path',
    });
    const stopped = { ...failure, decision: { action: 'stop', reason: 'enough' } } as const;
    expect(applyFailurePolicy(stopped, 'block', definitionOf('tool:before')).decision).toEqual({
      action: 'stop',
      reason: 'enough',
    });
  });
});

describe('a denial by exit code 2', () => {
  const denied = {
    ...failure,
    cause: 'nonzero_exit',
    message: 'exit code 2; stderr: nope',
    exit: { code: 2 },
    decision: { action: 'deny', reason: 'nope' },
  } as const;

  test.each(['block', 'continue'] as const)('is told in its own words with onFailure %s', (onFailure) => {
    expect(applyFailurePolicy(denied, onFailure, definitionOf('tool:before'))).toEqual({
      decision: { action: 'deny', reason: 'nope' },
      failedOpen: false,
    });
    const silent = { ...denied, decision: { action: 'deny' } } as const;
    expect(applyFailurePolicy(silent, onFailure, definitionOf('tool:before')).decision).toEqual({
      action: 'deny',
      reason: 'denied by the hook, which gave no reason',
    });
  });

  test('does not keep a turn from ending', () => {
    expect(applyFailurePolicy(denied, 'block', definitionOf('turn:stop')).decision).toMatchObject({ action: 'stop' });
  });

  test('and other exit codes, which are none, say that the hook could not be asked', () => {
    const broken = { ...denied, exit: { code: 3 } };
    expect(applyFailurePolicy(broken, 'block', definitionOf('tool:before')).decision).toMatchObject({
      reason: expect.stringContaining('could not be asked'),
    });
  });
});

describe('onFailure continue', () => {
  test.each(causes)('%s', (cause) => {
    const effect = applyFailurePolicy({ ...failure, cause }, 'continue', definitionOf('tool:before'));
    const blocks = causesThatAlwaysBlock.has(cause);
    expect(effect.failedOpen).toBe(!blocks);
    expect(effect.decision?.action).toBe(blocks ? 'deny' : undefined);
  });

  test('covers what the hook itself did, and nothing that somebody else can bring about', () => {
    expect(causes.filter((cause) => !causesThatAlwaysBlock.has(cause))).toEqual([
      'launch_failed',
      'timeout',
      'output_limit',
      'stderr_limit',
      'memory_limit',
      'process_limit',
      'nonzero_exit',
      'signal',
      'empty_output',
      'invalid_json',
      'multiple_documents',
      'duplicate_key',
      'invalid_encoding',
      'invalid_decision',
      'action_not_allowed',
      'echoed_input',
      'handler_exception',
      'http_error',
      'ssrf_blocked',
      'event_mismatch',
    ]);
  });

  test('is not open where something was said', () => {
    const said = { ...failure, decision: { action: 'ask' } } as const;
    expect(applyFailurePolicy(said, 'continue', definitionOf('tool:before'))).toMatchObject({
      decision: { action: 'ask' },
      failedOpen: false,
    });
  });
});

test('a restriction that an event cannot say becomes a stricter one, never a looser', () => {
  for (const definition of events.values()) {
    const effect = restrictionAt(definition, { action: 'ask' });
    if (definition.neverRaises) expect(effect).toBeUndefined();
    else expect(effect?.action).toBe(definition.class.guard ? 'ask' : definition.class.transform ? 'deny' : 'stop');
  }
});
