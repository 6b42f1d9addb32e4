import { describe, expect, test } from 'vitest';
import type { AnswerRules } from '../../src/executor/interpret.ts';
import { interpret } from '../../src/executor/interpret.ts';
import { eventDefinition } from '../../src/protocol/index.ts';
import type { RawResult } from '../../src/sandbox/index.ts';
import { policyOf } from '../support/view.ts';

const definition = eventDefinition('tool:before');
if (definition === undefined) throw new Error('no tool:before');

const rules: AnswerRules = {
  decide: 'json',
  onEmpty: 'fail',
  mode: 'control',
  definition,
  data: {},
  limits: policyOf().limits,
  budgetSetLimit: false,
  stderrTail: '',
  byFlags: false,
};

const said = (action: string): Uint8Array => new TextEncoder().encode(`{"decision":{"action":"${action}"}}`);

function raw(overrides: Partial<RawResult>): RawResult {
  return {
    kind: 'ran',
    memoryLimitHit: false,
    processLimitHit: false,
    exit: { code: 0, signal: null },
    stdout: said('allow'),
    stderr: new Uint8Array(),
    bytes: { stdin: 0, stdinUnread: 0, stdout: 0, stderr: 0 },
    durationMs: 1,
    sandbox: {
      backend: 'none',
      enforced: {
        filesystem: 'none',
        network: 'host',
        processes: 'none',
        memory: 'none',
        kill: 'process-group',
        syscalls: 'none',
      },
    },
    ...overrides,
  };
}

const killedExit = { code: null, signal: 'SIGKILL' };

/** Everything that spoils a run, strongest first: with two at once the first one names the cause. */
const broken: readonly (readonly [string, Partial<RawResult>])[] = [
  ['sandbox_unavailable', { kind: 'unavailable' }],
  ['timeout', { killed: 'timeout', exit: killedExit }],
  ['sandbox_setup_failed', { kind: 'not-built' }],
  ['launch_failed', { kind: 'not-executed' }],
  ['memory_limit', { memoryLimitHit: true }],
  ['signal', { exit: { code: null, signal: 'SIGSEGV' } }],
  ['nonzero_exit', { exit: { code: 3, signal: null } }],
];

describe('an answer counts only from a sound run', () => {
  test('allow with exit 0', () => {
    expect(interpret(raw({}), rules)).toEqual({ status: 'answered', decision: { action: 'allow' } });
  });

  test.each(broken)('%s beside a printed allow', (cause, overrides) => {
    expect(interpret(raw(overrides), rules)).toMatchObject({ status: 'failed', cause });
    expect(interpret(raw(overrides), rules)).not.toHaveProperty('decision');
  });

  test('killed for other reasons', () => {
    for (const killed of ['canceled', 'output_limit', 'stderr_limit'] as const) {
      expect(interpret(raw({ killed, exit: killedExit }), rules)).toMatchObject({ cause: killed });
    }
  });

  test.each(
    broken
      .slice(0, -1)
      .map(([cause, overrides], index) => [cause, broken[index + 1]?.[0], overrides, broken[index + 1]?.[1]] as const),
  )('%s comes before %s', (cause, _later, overrides, more) => {
    expect(interpret(raw({ ...more, ...overrides }), rules)).toMatchObject({ cause });
  });

  test('the process limit is the cause only of a run that failed', () => {
    expect(interpret(raw({ processLimitHit: true }), rules)).toMatchObject({ status: 'answered' });
    const empty = { processLimitHit: true, stdout: new Uint8Array() };
    expect(interpret(raw(empty), { ...rules, onEmpty: 'no-opinion' })).toMatchObject({ cause: 'process_limit' });
    expect(interpret(raw({ processLimitHit: true, exit: { code: 1, signal: null } }), rules)).toMatchObject({
      cause: 'process_limit',
    });
  });

  test('a limit that the event set is its budget', () => {
    const run = raw({ killed: 'timeout', exit: killedExit });
    expect(interpret(run, { ...rules, budgetSetLimit: true })).toMatchObject({ cause: 'budget_exhausted' });
  });
});

describe('a restriction survives every failure of a run that was launched', () => {
  const launched = broken.filter(
    ([cause]) => !['sandbox_unavailable', 'sandbox_setup_failed', 'launch_failed'].includes(cause),
  );
  test.each(
    launched.flatMap(([cause, overrides]) =>
      ['deny', 'stop', 'ask', 'defer'].map((action) => [action, cause, overrides] as const),
    ),
  )('%s beside %s', (action, cause, overrides) => {
    expect(interpret(raw({ ...overrides, stdout: said(action) }), rules)).toMatchObject({
      status: 'failed',
      cause,
      decision: { action },
    });
  });

  test('and an action that the event does not know', () => {
    const after = eventDefinition('tool:after');
    if (after === undefined) throw new Error('no tool:after');
    const reading = interpret(raw({ stdout: said('defer') }), { ...rules, definition: after });
    expect(reading).toMatchObject({ status: 'failed', cause: 'action_not_allowed', decision: { action: 'defer' } });
  });
});

describe('exit codes as decisions', () => {
  const byCode = { ...rules, decide: 'exit-code', stderrTail: 'first\nlast line\n' } as const;
  const exits = (code: number) => interpret(raw({ exit: { code, signal: null }, stdout: new Uint8Array() }), byCode);
  test('0, 1 and others', () => {
    expect(exits(0)).toEqual({ status: 'answered', decision: { action: 'allow' } });
    expect(exits(1)).toMatchObject({
      status: 'answered',
      decision: { action: 'deny', reason: expect.stringContaining('last line') },
    });
    expect(exits(2)).toMatchObject({
      status: 'failed',
      cause: 'nonzero_exit',
      message: expect.stringContaining('stderr: last line'),
    });
  });

  test('stdout is ignored', () => {
    expect(interpret(raw({ stdout: said('deny') }), byCode)).toMatchObject({ decision: { action: 'allow' } });
  });
});

const messageOf = (overrides: Partial<RawResult>, byFlags: boolean): string => {
  const reading = interpret(raw(overrides), { ...rules, byFlags });
  return reading.status === 'failed' ? reading.message : reading.status;
};

describe('a program without a pack', () => {
  const silent = { stdout: new Uint8Array() };
  const runs: readonly (readonly [string, Partial<RawResult>, string])[] = [
    ['that hangs', { killed: 'timeout', exit: killedExit }, 'raise --timeout-ms'],
    ['that hits its memory', { memoryLimitHit: true }, 'raise --memory-mb'],
    ['that starts too many', { processLimitHit: true, exit: { code: 1, signal: null } }, 'raise --max-processes'],
    ['that answers by exit code 1', { ...silent, exit: { code: 1, signal: null } }, 'give --decide exit-code'],
    ['that is silent', silent, '--on-empty no-opinion'],
  ];
  test.each(runs)('%s is not sent to the keys of one, nor a pack to flags', (_, overrides, flag) => {
    expect(messageOf(overrides, true)).toContain(flag);
    expect(messageOf(overrides, true)).not.toMatch(/pack|"decide"|"onEmpty"|timeoutMs|memoryMb|maxProcesses/u);
    expect(messageOf(overrides, false)).not.toContain('--');
  });
});

test('exit code 2 sends nobody who wants to deny to another way of saying it', () => {
  const reading = interpret(raw({ stdout: new Uint8Array(), exit: { code: 2, signal: null } }), {
    ...rules,
    stderrTail: 'nope\n',
  });
  expect(reading).toEqual({
    status: 'failed',
    cause: 'nonzero_exit',
    message: 'exit code 2, which counts as a denial; expected 0 with a decision on stdout; stderr: nope',
    decision: { action: 'deny', reason: 'nope' },
  });
});
