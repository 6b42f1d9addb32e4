import { describe, expect } from 'vitest';
import type { Cause, Executor, ExecutorOptions } from '../../src/index.ts';
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
