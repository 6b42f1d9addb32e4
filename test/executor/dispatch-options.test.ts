import { describe, expect, test } from 'vitest';
import type { DispatchOptions } from '../../src/index.ts';
import { bubblewrap, liveTest } from '../support/capability.ts';
import { executorOf, hookOf, toolEvent } from '../support/executor.ts';

const none = { sandbox: { backend: 'none' } } as const;

/** What the types would not let through, as plain JavaScript does. */
function asOptions(value: unknown): DispatchOptions {
  const isOptions = (given: unknown): given is DispatchOptions => given === value;
  if (!isOptions(value)) throw new Error('unreachable');
  return value;
}

describe('options of dispatch that are refused', () => {
  test.each<[string, unknown, RegExp]>([
    ['null', null, /^invalid dispatch options: expected an object, got null$/u],
    ['a string', 'x', /expected an object, got "x"$/u],
    ['a signal that is an object', { signal: {} }, /expected an AbortSignal, such as .*, got an object at \/signal$/u],
    ['a signal that is a string', { signal: 'x' }, /expected an AbortSignal, such as .*, got "x" at \/signal$/u],
    ['a signal that is null', { signal: null }, /expected an AbortSignal, .*, got null at \/signal$/u],
    ['a controller', { signal: new AbortController() }, /expected an AbortSignal, .* at \/signal$/u],
    ['a signal in place of options', new AbortController().signal, /expected an object such as \{ signal \}/u],
    ['a negative depth', { depth: -1 }, /expected a whole number from 0, got -1 at \/depth$/u],
    ['half a depth', { depth: 1.5 }, /expected a whole number from 0, got 1\.5 at \/depth$/u],
    ['an unknown key', { signals: 1 }, /unknown key "signals"; did you mean "signal"\? at \/signals$/u],
  ])('%s', async (_, options, words) => {
    const executor = await executorOf([hookOf('allow.sh', { onFailure: 'continue' })], none);
    const refusal = { code: 'invalid_options', message: expect.stringMatching(words) };
    await expect(executor.dispatch(toolEvent(), asOptions(options))).rejects.toMatchObject(refusal);
    await executor.close();
  });

  test('of tryHook as well', async () => {
    const executor = await executorOf([hookOf('allow.sh')], none);
    const name = { pack: 'p', id: 'allow' };
    const options = asOptions({ signal: 5 });
    await expect(executor.tryHook(name, toolEvent(), options)).rejects.toMatchObject({ code: 'invalid_options' });
  });
});

test('undefined stands for what is not given', async () => {
  const executor = await executorOf([hookOf('allow.sh')], none);
  const verdict = await executor.dispatch(toolEvent(), { signal: undefined, depth: undefined });
  expect(verdict.decision.action).toBe('allow');
  expect(await executor.dispatch(toolEvent(), undefined)).toMatchObject({ decision: { action: 'allow' } });
});

class OddSignal {
  readonly aborted = false;
  readonly fails: string;

  constructor(fails: string) {
    this.fails = fails;
  }

  addEventListener(): void {
    if (this.fails === 'add') throw new Error('no listener');
  }

  removeEventListener(): void {
    if (this.fails === 'remove') throw new Error('no removal');
  }
}

for (const backend of ['bubblewrap', 'none'] as const) {
  liveTest(
    backend === 'none' ? [] : [bubblewrap],
    `a signal that throws opens nothing and leaves nothing: ${backend}`,
    async () => {
      const executor = await executorOf([hookOf('allow.sh', { onFailure: 'continue' })], { sandbox: { backend } });
      const deaf = await executor.dispatch(toolEvent(), asOptions({ signal: new OddSignal('add') }));
      expect(deaf).toMatchObject({ decision: { action: 'deny' }, failedOpen: [] });
      const sticky = await executor.dispatch(toolEvent(), asOptions({ signal: new OddSignal('remove') }));
      expect(sticky).toMatchObject({ decision: { action: 'allow' }, outcomes: [{ status: 'answered' }] });
      expect(await executor.dispatch(toolEvent())).toMatchObject({ outcomes: [{ status: 'answered' }] });
      await expect(executor.close()).resolves.toBeUndefined();
    },
  );
}
