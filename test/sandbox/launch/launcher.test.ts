import { expect, test } from 'vitest';
import { Launcher, type LaunchOrder } from '../../../src/sandbox/launch/index.ts';
import { policyOf, scratchDirectory } from '../../support/view.ts';

const { limits } = policyOf();
const hello: LaunchOrder = { wall: 'none', line: 'exec echo hello', options: [], stdin: new Uint8Array(), limits };

test('a launch that fails while it is seen through is a result, and keeps no launcher from closing', async () => {
  const launcher = new Launcher({ armedSlots: 1, cgroups: 'none', runtimeBase: scratchDirectory() });
  const failing = {
    ...hello,
    limits: Object.defineProperty({ ...limits }, 'maxStderrBytes', {
      get: () => {
        throw new Error('no such limit');
      },
    }),
  };
  expect(await launcher.launch(failing)).toMatchObject({
    kind: 'not-built',
    detail: 'the launch could not be seen through: no such limit',
  });
  const result = await launcher.launch(hello);
  expect(Buffer.from(result.stdout).toString()).toBe('hello\n');
  await expect(launcher.close()).resolves.toBeUndefined();
});

test('a signal that throws is a launch that could not be prepared', async () => {
  const launcher = new Launcher({ armedSlots: 0, cgroups: 'none', runtimeBase: scratchDirectory() });
  const signal = Object.assign(new AbortController().signal, {
    addEventListener: () => {
      throw new Error('no listener');
    },
  });
  const result = await launcher.launch(hello, signal);
  expect(result).toMatchObject({ kind: 'not-built', detail: expect.stringContaining('no listener') });
  await expect(launcher.close()).resolves.toBeUndefined();
});
