import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { createExecutor } from '../../src/index.ts';
import { bubblewrap, liveTest, program } from '../support/capability.ts';
import { handlers, hookOf, packOf } from '../support/executor.ts';
import { sideBySide } from '../support/leaves-nothing.ts';
import { processesWith } from '../support/survivors.ts';

const events = 500;
const width = 32;

interface Expected {
  readonly action: string;
  readonly cause?: string;
}

/** What the hook of each name has to come to. */
const wellBehaved: readonly (readonly [name: string, expected: Expected])[] = [
  ['allow', { action: 'allow' }],
  ['deny', { action: 'deny' }],
  ['ask', { action: 'ask' }],
  ['silent', { action: 'deny', cause: 'empty_output' }],
  ['two-documents', { action: 'deny', cause: 'multiple_documents' }],
];
/** A tenth of the events goes to these. */
const hostile: typeof wellBehaved = [
  ['flood-stdout', { action: 'deny', cause: 'output_limit' }],
  ['flood-stderr', { action: 'deny', cause: 'stderr_limit' }],
  ['fork-bomb', { action: 'deny', cause: 'process_limit' }],
  ['hang', { action: 'deny', cause: 'timeout' }],
  ['answer-with-grandchild', { action: 'allow' }],
];

liveTest(
  [bubblewrap, program('python3')],
  `${events} events, ${width} at once, a tenth of them hostile: every verdict is right and nothing is left`,
  async () => {
    const rejections: unknown[] = [];
    const heard = (error: unknown): void => void rejections.push(error);
    process.on('unhandledRejection', heard);
    process.on('uncaughtException', heard);
    onTestFinished(() => {
      process.off('unhandledRejection', heard);
      process.off('uncaughtException', heard);
    });
    const token = `soak-token-${randomUUID()}`;
    const hooks = [...hostile, ...wellBehaved].map(([name]) =>
      hookOf(`${name}.sh`, {
        matcher: { tools: [name] },
        sandbox: { env: ['SOAK_TOKEN'], maxProcesses: 16 },
        handler: { timeoutMs: name === 'hang' ? 400 : 20_000 },
      }),
    );
    const executor = await createExecutor({
      packs: packOf(hooks),
      projectRoot: handlers,
      installationKey: new Uint8Array(32).fill(7),
      concurrency: width,
      sandbox: { env: { SOAK_TOKEN: token } },
    });
    onTestFinished(() => executor.close());

    const { backends } = await executor.capabilities();
    const countsProcesses = backends[0]?.enforced?.processes.startsWith('cgroup') === true;

    const ask = async (index: number): Promise<void> => {
      const kind = index % 10 === 0 ? hostile : wellBehaved;
      const [tool, expected] = kind[(index % 10 === 0 ? index / 10 : index) % kind.length] ?? raise();
      const verdict = await executor.dispatch({ event: 'tool:before', data: { tool, input: { index } } });
      expect(verdict.outcomes).toHaveLength(1);
      const [outcome] = verdict.outcomes;
      const cause = outcome?.status === 'failed' ? { cause: outcome.cause } : {};
      // An rlimit refuses the fork as a cgroup does, but leaves no record of it.
      const seen = tool === 'fork-bomb' && !countsProcesses ? { ...expected, cause: 'nonzero_exit' } : expected;
      expect({ tool, action: verdict.decision.action, ...cause }).toEqual({ tool, ...seen });
    };

    await sideBySide(100, width, ask);
    globalThis.gc?.();
    const before = { descriptors: openDescriptors(), memory: process.memoryUsage().rss };
    await sideBySide(events, width, ask);
    const after = { descriptors: openDescriptors(), memory: process.memoryUsage().rss };

    expect(processesWith(token)).toEqual([]);
    expect(rejections).toEqual([]);
    // Armed slots and the runtime's own come and go; what grows with the number of events is a leak.
    expect(after.descriptors - before.descriptors).toBeLessThan(40);
    expect(after.memory - before.memory).toBeLessThan(200 * 1024 * 1024);
  },
);

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

function raise(): never {
  throw new Error('the lists of hooks are not empty');
}
