import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { executorOf, hookOf, toolEvent } from '../support/executor.ts';

function throwing(): never {
  throw new Error('the disk is full');
}

function oddly(): never {
  // oxlint-disable-next-line no-throw-literal
  throw Object.create(null);
}

function rejecting(): Promise<never> {
  return Promise.reject(new Error('the disk is full'));
}

function loggerOf(method: () => unknown) {
  return Object.assign(pino({ enabled: false }), { debug: method, info: method, warn: method });
}

/** Loggers that fail as they are called, and later. */
const loggers = {
  'throws at every line': () => loggerOf(throwing),
  'throws what is no error': () => loggerOf(oddly),
  'rejects at every line': () => loggerOf(rejecting),
  'cannot write to its stream': () => pino({ level: 'debug' }, { write: throwing }),
} as const;

describe.each(Object.entries(loggers))('a logger that %s', (_, create) => {
  test('changes no verdict, no outcome and no end, and is told of once', async () => {
    const rejections: unknown[] = [];
    const warnings: string[] = [];
    const onRejection = (error: unknown): void => void rejections.push(error);
    const onWarning = ({ name, message }: Error): void => void (name === 'HookcellWarning' && warnings.push(message));
    process.on('unhandledRejection', onRejection);
    process.on('warning', onWarning);
    onTestFinished(() => {
      process.off('unhandledRejection', onRejection);
      process.off('warning', onWarning);
    });
    const hooks = [
      hookOf('not-json.sh', { onFailure: 'continue' }),
      hookOf('deny.sh'),
      hookOf('deny.sh', { id: 'seen', mode: 'observe' }),
    ];
    const executor = await executorOf(hooks, { sandbox: { backend: 'none' }, logger: create() });
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict.outcomes).toMatchObject([
      { status: 'failed', cause: 'invalid_json' },
      { status: 'answered', decision: { action: 'deny' } },
    ]);
    expect(await verdict.observed).toMatchObject([{ status: 'answered' }]);
    await executor.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('the logger failed')]);
  });
});
