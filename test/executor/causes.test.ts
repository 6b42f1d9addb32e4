import { describe, expect, test } from 'vitest';
import type { Cause, Executor, ExecutorOptions, VerdictDocument } from '../../src/index.ts';
import { bubblewrap, liveTest } from '../support/capability.ts';
import { executorOf, hookOf, toolEvent } from '../support/executor.ts';

interface Row {
  readonly script: string;
  readonly cause: Cause;
  readonly timeoutMs?: number;
  readonly needsWall?: boolean;
  readonly message?: RegExp;
}

const rows: readonly Row[] = [
  { script: 'hang.sh', cause: 'timeout', timeoutMs: 500, message: /^timeout after 500 ms; .*raise timeoutMs$/u },
  { script: 'flood-stdout.sh', cause: 'output_limit' },
  { script: 'flood-stderr.sh', cause: 'stderr_limit' },
  { script: 'eat-memory.py', cause: 'memory_limit', needsWall: true },
  { script: 'fork-bomb.sh', cause: 'process_limit', needsWall: true },
  { script: 'allow-then-exit-1.sh', cause: 'nonzero_exit', message: /exit code 1.*BLOCKED by the guard/u },
  { script: 'allow-then-kill-itself.sh', cause: 'signal' },
  { script: 'silent.sh', cause: 'empty_output' },
  { script: 'not-json.sh', cause: 'invalid_json' },
  { script: 'two-documents.sh', cause: 'multiple_documents' },
  { script: 'duplicate-key.sh', cause: 'duplicate_key' },
  { script: 'latin1.sh', cause: 'invalid_encoding' },
  { script: 'unknown-key.sh', cause: 'invalid_decision' },
  { script: 'continue.sh', cause: 'action_not_allowed' },
  { script: 'echo-input.sh', cause: 'echoed_input' },
  { script: 'not-there.sh', cause: 'launch_failed' },
  { script: 'crlf.sh', cause: 'launch_failed', message: /carriage return/u },
];

const backends = ['bubblewrap', 'none'] as const;

describe.each(backends)('causes with backend %s', (backend) => {
  const needs = backend === 'none' ? [] : [bubblewrap];
  for (const { script, cause, timeoutMs, needsWall, message } of rows) {
    if (needsWall === true && backend === 'none') continue;
    liveTest(needs, `${script} is ${cause}, and denies`, async () => {
      const handler = timeoutMs === undefined ? {} : { timeoutMs };
      const options: ExecutorOptions = { sandbox: { backend, limits: { memoryBytes: 128 << 20 } } };
      const executor = await executorOf(
        [hookOf(script, { handler })],
        needsWall === true ? options : { sandbox: { backend } },
      );
      const verdict = await executor.dispatch(toolEvent());
      // A memory limit that was set explicitly and cannot be enforced here is refused, not weakened.
      const expected = needsWall === true && !(await boundsMemory(executor)) ? 'sandbox_unavailable' : cause;
      expect(verdict.outcomes).toMatchObject([{ status: 'failed', cause: expected }]);
      expect(verdict.decision.action).toBe('deny');
      expect(verdict.decision).toHaveProperty('reason', expect.stringContaining(`could not be asked: ${expected}`));
      if (message !== undefined) expect(verdict.outcomes[0]).toHaveProperty('message', expect.stringMatching(message));
      expect(verdict.failedOpen).toEqual([]);
    });
  }
});

async function boundsMemory(executor: Executor): Promise<boolean> {
  const { backends: found } = await executor.capabilities();
  return found.some(
    ({ backend, enforced }) => backend === 'bubblewrap' && enforced?.memory.startsWith('cgroup') === true,
  );
}

describe('onFailure continue does not cover what somebody other than the hook brought about', () => {
  const none = { sandbox: { backend: 'none' } } as const;
  const guard = hookOf('deny.sh', { onFailure: 'continue' });

  test('the caller gives up while the hook runs', async () => {
    const executor = await executorOf([hookOf('hang.sh', { onFailure: 'continue' })], none);
    await mustBlock('canceled', executor.dispatch(toolEvent(), { signal: AbortSignal.timeout(300) }));
  });

  test('the caller gave up before', async () => {
    const executor = await executorOf([guard], none);
    await mustBlock('canceled', executor.dispatch(toolEvent(), { signal: AbortSignal.abort() }));
  });

  test('the sender makes the event too large', async () => {
    const executor = await executorOf([guard], { ...none, limits: { maxEnvelopeBytes: 2048 } });
    await mustBlock('payload_limit', executor.dispatch(toolEvent({ padding: 'x'.repeat(4096) })));
  });

  test('the sender says that the event is deep', async () => {
    const executor = await executorOf([guard], none);
    await mustBlock('recursion_limit', executor.dispatch(toolEvent(), { depth: 9 }));
  });

  test('the sender sends too many', async () => {
    const hook = hookOf('allow.sh', { event: 'run:start', onFailure: 'continue' });
    const executor = await executorOf([hook], { ...none, limits: { maxPerMinute: 1 } });
    await executor.dispatch({ event: 'run:start', data: {} });
    await mustBlock('recursion_limit', executor.dispatch({ event: 'run:start', data: {} }));
  });

  test('the sender uses an id again', async () => {
    const executor = await executorOf([guard], none);
    await executor.dispatch(toolEvent({ path: 'a' }, { id: 'e1' }));
    await mustBlock('idempotency_conflict', executor.dispatch(toolEvent({ path: 'b' }, { id: 'e1' })));
  });
});

describe('onFailure continue keeps a denial that is no valid answer', () => {
  for (const backend of backends) {
    liveTest(
      backend === 'none' ? [] : [bubblewrap],
      `in other words, shapes and with exit code 2: ${backend}`,
      async () => {
        const executors = await Promise.all(
          [
            printing('{"decision":{"action":"DENY","reason":"why"}}'),
            printing('{"decision":{"reason":"he said "no" to it","action":"deny"}}'),
            printing('{"continue":false,"stopReason":"why"}'),
            printing('{"decision":{"action":"defer","reason":"why","until":"noon"}}'),
            printing('', 2),
            printing('{"decision":{"action":"allow"}}', 2),
            printing('{"decision":{"action":"deny","reason":"why"}}', 2),
          ].map((hook) => executorOf([hook], { sandbox: { backend } })),
        );
        const verdicts = await Promise.all(executors.map((executor) => executor.dispatch(toolEvent())));
        expect(verdicts.map(({ decision }) => decision)).toMatchObject([
          { action: 'deny', reason: 'why' },
          { action: 'deny' },
          { action: 'stop', reason: 'why' },
          { action: 'defer', reason: 'why' },
          { action: 'deny', reason: 'why' },
          { action: 'deny', reason: 'why' },
          { action: 'deny', reason: 'why' },
        ]);
        for (const { failedOpen, outcomes } of verdicts) {
          expect(failedOpen).toEqual([]);
          expect(outcomes).toMatchObject([{ status: 'failed' }]);
        }
      },
    );
  }

  test('but not exit code 2 of a check whose 1 denies', async () => {
    const hook = printing('', 2, { decide: 'exit-code' });
    const executor = await executorOf([hook], { sandbox: { backend: 'none' } });
    expect(await executor.dispatch(toolEvent())).toMatchObject({
      decision: { action: 'allow' },
      failedOpen: [{ cause: 'nonzero_exit' }],
    });
  });
});

async function mustBlock(cause: Cause, dispatch: Promise<VerdictDocument>): Promise<void> {
  const verdict = await dispatch;
  expect(verdict.outcomes).toMatchObject([{ status: 'failed', cause }]);
  expect(verdict).toMatchObject({ decision: { action: 'deny' }, failedOpen: [] });
}

function printing(text: string, code = 0, handler: object = {}) {
  const command = ['/bin/sh', '-c', 'printf %s "$1"; echo why >&2; exit "$2"', 'sh', text, String(code)];
  return hookOf('x.sh', { onFailure: 'continue', handler: { command, ...handler } });
}
