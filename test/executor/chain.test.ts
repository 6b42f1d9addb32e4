import { describe, expect, test } from 'vitest';
import { createExecutor } from '../../src/index.ts';
import { bubblewrap, liveTest } from '../support/capability.ts';
import { executorOf, handlers, hookOf, packOf, toolEvent } from '../support/executor.ts';

// What the chain does is the same with every backend; the plain one also runs where there is no bubblewrap.
const none = { sandbox: { backend: 'none' } } as const;
const append = (id: string, rest: object = {}) => ({ ...hookOf('append-to-content.py', rest), id });

describe('controlling hooks', () => {
  test('hand their data on in the order of priority, then of declaration', async () => {
    const executor = await executorOf(
      [append('b', { priority: 50 }), append('c', { priority: 50 }), append('a', { priority: 10 })],
      none,
    );
    const verdict = await executor.dispatch(toolEvent({ content: 'x' }));
    expect(verdict.decision).toEqual({ action: 'modify', data: { input: { content: 'x+a+b+c' } } });
    expect(verdict.data).toEqual({ tool: 'write', input: { content: 'x+a+b+c' } });
  });

  test('allow what nobody objects to', async () => {
    const executor = await executorOf([hookOf('allow.sh')], none);
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict).toMatchObject({
      decision: { action: 'allow' },
      failedOpen: [],
      outcomes: [{ status: 'answered' }],
    });
    expect(verdict).not.toHaveProperty('data');
  });

  test.each(['deny', 'stop'])('end at %s, and later ones are skipped', async (action) => {
    const executor = await executorOf([hookOf(`${action}.sh`), hookOf('allow.sh')], none);
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict.decision.action).toBe(action);
    expect(verdict.outcomes.map(({ status }) => status)).toEqual(['answered', 'skipped']);
  });

  test('remember ask and defer while later ones run', async () => {
    const executor = await executorOf([hookOf('ask.sh'), append('m'), hookOf('defer.sh'), hookOf('allow.sh')], none);
    const verdict = await executor.dispatch(toolEvent({ content: 'x' }));
    expect(verdict.decision).toEqual({ action: 'defer', reason: 'change window' });
    expect(verdict.outcomes.map(({ status }) => status)).toEqual(['answered', 'answered', 'answered', 'answered']);
    expect(verdict.data).toEqual({ tool: 'write', input: { content: 'x+m' } });
  });

  test('get a reason where they gave none', async () => {
    const executor = await executorOf([hookOf('deny-without-reason.sh')], none);
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict.decision).toEqual({ action: 'deny', reason: 'denied by the hook, which gave no reason' });
  });

  test('fail open only with onFailure continue, and it is recorded', async () => {
    const executor = await executorOf([hookOf('not-json.sh', { onFailure: 'continue' }), append('m')], none);
    const verdict = await executor.dispatch(toolEvent({ content: 'x' }));
    expect(verdict.decision.action).toBe('modify');
    expect(verdict.failedOpen).toEqual([{ hook: { pack: 'p', id: 'not-json' }, cause: 'invalid_json' }]);
  });

  test('still restrict when they fail, whatever onFailure says', async () => {
    const executor = await executorOf([hookOf('deny-then-exit-3.sh', { onFailure: 'continue' })], none);
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict).toMatchObject({ decision: { action: 'deny', reason: 'said before the crash' }, failedOpen: [] });
    expect(verdict.outcomes).toMatchObject([{ status: 'failed', cause: 'nonzero_exit', decision: { action: 'deny' } }]);
  });

  test('may be silent with onEmpty no-opinion', async () => {
    const executor = await executorOf([hookOf('silent.sh', { handler: { onEmpty: 'no-opinion' } })], none);
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict).toMatchObject({ decision: { action: 'allow' }, outcomes: [{ status: 'no-opinion' }] });
  });

  test.each([
    [0, 'allow', 'answered'],
    [1, 'deny', 'answered'],
    [2, 'deny', 'failed'],
  ])('decide by exit code %i: %s', async (code, action, status) => {
    const executor = await executorOf([hookOf('exit-code-of-input.sh', { handler: { decide: 'exit-code' } })], none);
    const verdict = await executor.dispatch(toolEvent({ code }));
    expect(verdict).toMatchObject({ decision: { action }, outcomes: [{ status }] });
    if (code === 1) expect(verdict.decision).toHaveProperty('reason', 'checked and found 1');
  });
});

describe('bounds of one event', () => {
  test('the total time cuts the hook that runs, which blocks even with onFailure continue', async () => {
    const hooks = [hookOf('hang.sh', { onFailure: 'continue' })];
    const executor = await executorOf(hooks, { ...none, limits: { totalTimeMs: 700 } });
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict.outcomes).toMatchObject([
      { status: 'failed', cause: 'budget_exhausted', exit: { signal: 'SIGKILL' } },
    ]);
    expect(verdict).toMatchObject({ decision: { action: 'deny' }, failedOpen: [] });
  });

  test('a hook that uses up the total time switches off none after it, with onFailure continue neither', async () => {
    const greedy = hookOf('hang.sh', { onFailure: 'continue', handler: { timeoutMs: 700 } });
    const guard = hookOf('deny.sh', { onFailure: 'continue' });
    const executor = await executorOf([greedy, guard], { ...none, limits: { totalTimeMs: 700 } });
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict.outcomes).toMatchObject([
      { status: 'failed', cause: 'timeout' },
      { status: 'failed', cause: 'budget_exhausted', message: expect.stringContaining('spent by the hooks before it') },
    ]);
    expect(verdict.decision.action).toBe('deny');
  });

  test('hooks beyond the bound fail', async () => {
    const executor = await executorOf([hookOf('allow.sh'), append('m')], { ...none, limits: { maxHooksPerEvent: 1 } });
    const verdict = await executor.dispatch(toolEvent({ content: 'x' }));
    expect(verdict.outcomes).toMatchObject([{ status: 'answered' }, { status: 'failed', cause: 'budget_exhausted' }]);
    expect(verdict.decision.action).toBe('deny');
  });

  test('an event beyond the depth is refused, and depth is told to the handler', async () => {
    const executor = await executorOf([hookOf('say-envelope.py')], none);
    const deep = await executor.dispatch(toolEvent(), { depth: 4 });
    expect(deep.outcomes).toMatchObject([{ status: 'failed', cause: 'recursion_limit' }]);
    const third = await executor.dispatch(toolEvent(), { depth: 3 });
    const feedback = 'feedback' in third.decision ? JSON.stringify(third.decision.feedback) : '';
    expect(feedback).toContain('HOOKCELL_DEPTH');
    expect(feedback).toMatch(/depth\\+": 3/u);
  });

  test('a loop through new runs is caught', async () => {
    const executor = await executorOf([hookOf('allow.sh', { event: 'run:start' })], {
      ...none,
      limits: { maxPerMinute: 2 },
    });
    const run = () => executor.dispatch({ event: 'run:start', data: {} });
    await run();
    await run();
    expect(await run()).toMatchObject({ decision: { action: 'deny' }, outcomes: [{ cause: 'recursion_limit' }] });
  });

  test('an envelope that is too large is not sent', async () => {
    const executor = await executorOf([hookOf('allow.sh')], { ...none, limits: { maxEnvelopeBytes: 2_000 } });
    const verdict = await executor.dispatch(toolEvent({ content: 'x'.repeat(3_000) }));
    expect(verdict.outcomes).toMatchObject([{ cause: 'payload_limit', bytes: { stdin: 0 } }]);
  });

  test('an event id that comes back with other content is refused', async () => {
    const executor = await executorOf([hookOf('allow.sh')], none);
    const first = await executor.dispatch(toolEvent({ path: 'a' }, { id: 'e1' }));
    const again = await executor.dispatch(toolEvent({ path: 'a' }, { id: 'e1' }));
    const other = await executor.dispatch(toolEvent({ path: 'b' }, { id: 'e1' }));
    expect([first, again, other].map(({ decision }) => decision.action)).toEqual(['allow', 'allow', 'deny']);
    expect(other.outcomes).toMatchObject([{ cause: 'idempotency_conflict' }]);
  });
});

describe('abort', () => {
  test('ends what runs and what waits', async () => {
    const executor = await executorOf([hookOf('hang.sh')], { ...none, concurrency: 1 });
    const controller = new AbortController();
    const both = [1, 2].map(() => executor.dispatch(toolEvent(), { signal: controller.signal }));
    setTimeout(() => controller.abort(), 300);
    for (const verdict of await Promise.all(both)) {
      expect(verdict).toMatchObject({
        decision: { action: 'deny' },
        outcomes: [{ status: 'failed', cause: 'canceled' }],
      });
    }
  });

  test('before the start asks nobody', async () => {
    const executor = await executorOf([hookOf('allow.sh')], none);
    const verdict = await executor.dispatch(toolEvent(), { signal: AbortSignal.abort() });
    expect(verdict.outcomes).toMatchObject([{ cause: 'canceled', bytes: { stdin: 0 } }]);
  });
});

describe('the queue', () => {
  liveTest(
    bubblewrap,
    'is not charged: ten parallel events of 0.8 s at two slots with 2 s each are all denied',
    async () => {
      const executor = await executorOf([hookOf('slow-deny.sh', { handler: { timeoutMs: 2_000 } })], {
        concurrency: 2,
      });
      const verdicts = await Promise.all(Array.from({ length: 10 }, () => executor.dispatch(toolEvent())));
      for (const { decision } of verdicts) expect(decision).toEqual({ action: 'deny', reason: 'slow but sure' });
      expect(Math.max(...verdicts.flatMap(({ outcomes }) => outcomes.map(({ queueMs }) => queueMs)))).toBeGreaterThan(
        2_000,
      );
    },
  );
});

describe('events that only notify', () => {
  test('nothing is raised where nothing may be', async () => {
    const executor = await executorOf(
      [
        hookOf('stop.sh', { event: 'run:error', mode: 'control' }),
        hookOf('not-json.sh', { event: 'run:error', mode: 'control' }),
      ],
      none,
    );
    const verdict = await executor.dispatch({ event: 'run:error', data: {} });
    expect(verdict.decision).toEqual({ action: 'allow' });
    expect(verdict.outcomes.map(({ status }) => status)).toEqual(['answered', 'failed']);
  });

  test('a failure at the end of a turn stops it: "keep working" would never end', async () => {
    const executor = await executorOf([hookOf('not-json.sh', { event: 'turn:stop' })], none);
    const verdict = await executor.dispatch({ event: 'turn:stop', data: {} });
    expect(verdict.decision).toMatchObject({ action: 'stop', reason: expect.stringContaining('could not be asked') });
  });
});

describe('a missing sandbox', () => {
  test('blocks, also with onFailure continue', async () => {
    const executor = await createExecutor({
      packs: packOf([hookOf('allow.sh', { onFailure: 'continue', sandbox: { network: 'host' } })]),
      projectRoot: handlers,
      installationKey: new Uint8Array(32),
      ...none,
    });
    const verdict = await executor.dispatch(toolEvent());
    await executor.close();
    expect(verdict).toMatchObject({
      decision: { action: 'deny', reason: expect.stringContaining('--network host') },
      outcomes: [{ cause: 'untrusted' }],
    });
  });
});
