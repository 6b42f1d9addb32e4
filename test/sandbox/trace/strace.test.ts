import { expect, test } from 'vitest';

import { Launcher, type LaunchOrder, type LaunchTracer } from '../../../src/sandbox/launch/index.ts';
import { classifyUntraceable, straceMissing } from '../../../src/sandbox/trace/strace.ts';
import { startTracer } from '../../../src/sandbox/trace/tracer.ts';
import { policyOf, scratchDirectory } from '../../support/view.ts';

test('without strace, how to install it', () => {
  expect(straceMissing.remedy).toContain('apt-get install strace');
});

test.each([
  ['2', 'ptrace_scope = 2', 'sysctl -w kernel.yama.ptrace_scope=1'],
  ['3', 'ptrace_scope = 3', 'restart'],
  ['1', 'Operation not permitted', '--cap-add SYS_PTRACE'],
  [undefined, 'Operation not permitted', '--cap-add SYS_PTRACE'],
])('with ptrace_scope %s it says why, and what to do', (yama, why, remedy) => {
  const said = 'strace: attach: ptrace(PTRACE_ATTACH, 7): Operation not permitted\n';
  const problem = classifyUntraceable(said, yama);
  expect(problem.why).toContain(why);
  expect(problem.remedy).toContain(remedy);
});

/** What a run of `echo hello` comes to when this stands in the tracer's place. */
async function launchedWith(fake: string) {
  const launcher = new Launcher({ armedSlots: 0, cgroups: 'none', runtimeBase: scratchDirectory() });
  try {
    const tracer = await startTracer(fake, launcher.runtimeDirectory, 'test');
    let problem: unknown;
    const watched: LaunchTracer = {
      command: tracer.command,
      attached: async (slot) => {
        problem = await tracer.attached(slot);
        return problem === undefined;
      },
    };
    const { limits } = policyOf();
    const order: LaunchOrder = { wall: 'none', line: 'exec echo hello', options: [], stdin: new Uint8Array(), limits };
    const { kind, stdout, exit } = await launcher.launch(order, undefined, watched);
    return { problem, kind, exit, out: Buffer.from(stdout).toString() };
  } finally {
    await launcher.close();
  }
}

const ran = { kind: 'ran', exit: { code: 0, signal: null }, out: 'hello\n' };

test.each(['/bin/false', '/nonexistent/strace'])('a run goes on without its tracer when that is %s', async (fake) => {
  expect(await launchedWith(fake)).toEqual({ problem: expect.objectContaining({ why: expect.any(String) }), ...ran });
});
