import { expect, test } from 'vitest';
import { allow, answerOf, event, project, runCli } from './cli.ts';

test('a script of the working directory decides', async () => {
  const stdin = '{"event":"tool:before","data":{"tool":"write","input":{"path":".env"}}}';
  const result = await runCli(['exec', '--', './scripts/check-write.mjs'], { stdin });
  expect(result.code).toBe(2);
  expect(answerOf(result).decision.reason).toContain('environment files');
});

function exit(line: string): ReturnType<typeof runCli> {
  return runCli(['exec', '--decide', 'exit-code', '--shell', '--', line], { stdin: event });
}

test('--decide exit-code: 0 allows, 1 denies with the end of stderr, everything else is a failure', async () => {
  expect(await exit('exit 0')).toMatchObject({ code: 0 });
  const denied = await exit('echo no such luck >&2; exit 1');
  expect(denied.code).toBe(2);
  expect(answerOf(denied).decision).toEqual({
    action: 'deny',
    reason: expect.stringContaining('no such luck'),
  });
  const failed = await exit('exit 3');
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain('cause nonzero_exit');
});

test('--on-empty no-opinion lets silence pass, the default does not', async () => {
  const silent = ['--shell', '--', 'cat >/dev/null'];
  expect(await runCli(['exec', '--on-empty', 'no-opinion', ...silent], { stdin: event })).toMatchObject({ code: 0 });
  const failed = await runCli(['exec', ...silent], { stdin: event });
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain('cause empty_output');
});

test('--on-failure continue goes on, and says so', async () => {
  const result = await runCli(['exec', '--on-failure', 'continue', '--', '/bin/false'], { stdin: event });
  expect(result.code).toBe(0);
  expect(result.stderr).toContain('failed open: nonzero_exit');
});

test('--on-failure continue covers no denial by exit code 2, and no depth that the caller says', async () => {
  const args = ['exec', '--on-failure', 'continue', '--shell', '--'];
  const denied = await runCli([...args, 'cat >/dev/null; echo not on Fridays >&2; exit 2'], { stdin: event });
  expect(denied.code).toBe(2);
  expect(answerOf(denied).decision).toEqual({ action: 'deny', reason: 'not on Fridays' });
  const deep = await runCli([...args, `echo '{"decision":{"action":"deny"}}'`], {
    stdin: event,
    env: { HOOKCELL_DEPTH: '9' },
  });
  expect(deep.code).toBe(2);
  expect(deep.stderr).toContain('cause recursion_limit');
});

test('--mode observe cannot block', async () => {
  const result = await runCli(['exec', '--mode', 'observe', '--', '/bin/false'], { stdin: event });
  expect(result).toMatchObject({ code: 0, stdout: '{"decision":{"action":"allow"}}\n' });
});

test('--timeout-ms cuts off', async () => {
  const result = await runCli(['exec', '--timeout-ms', '300', '--', 'sleep', '60'], { stdin: event });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('cause timeout');
});

test.each([['missing.sh'], ['scripts/missing.sh'], ['no-such-program-anywhere'], ['/no/such/file']])(
  '%s cannot be launched: blocks',
  async (program) => {
    const result = await runCli(['exec', '--', program], { stdin: event });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(program);
    expect(answerOf(result).decision.action).toBe('deny');
  },
);

test('the environment does not reach the program, but what --env names does', async () => {
  const line = 'cat >/dev/null; test "$PLAIN" = 1 && test -z "$OTHER"';
  const env = { PLAIN: '1', OTHER: '2' };
  const result = await runCli(['exec', '--decide', 'exit-code', '--env', 'PLAIN', '--shell', '--', line], {
    stdin: event,
    env,
  });
  expect(result).toMatchObject({ code: 0 });
});

test('values of secret variables are redacted wherever they turn up', async () => {
  const secret = 'correct-horse-battery';
  const line = 'grep -q correct-horse && exit 1; exit 0';
  const stdin = JSON.stringify({
    event: 'tool:before',
    data: { tool: 'write', input: { text: `use ${secret} here` } },
  });
  const args = ['exec', '--decide', 'exit-code', '--shell', '--', line];
  expect(await runCli(args, { stdin, env: { DEPLOY_TOKEN: secret } })).toMatchObject({ code: 0 });
  // Without the variable nobody can know that the text is a secret.
  expect(await runCli(args, { stdin })).toMatchObject({ code: 2 });
});

test('an escape sequence of a handler does not reach the terminal', async () => {
  const cwd = project({ 'deny.sh': "#!/bin/sh\nprintf '\\033]0;owned\\007stay away\\n' >&2\nexit 1\n" });
  const result = await runCli(['exec', '--decide', 'exit-code', '--', './deny.sh'], { stdin: event, cwd });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('stay away');
  expect(result.stderr).not.toContain('\u001b');
});

test('data that a shell would obey is only data', async () => {
  const stdin = JSON.stringify({ event: 'tool:before', data: { tool: '$(touch /tmp/owned)', input: {} } });
  expect(await runCli(['exec', '--shell', '--', allow], { stdin })).toMatchObject({ code: 0 });
});

test('a program and its arguments in one pair of quotes: says how to write them', async () => {
  const result = await runCli(['exec', '--', 'python3 check.py'], { stdin: event });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/words of their own.*--shell/u);
});

test('a script without a first line is told the one of its language', async () => {
  const cwd = project({ 'check.mjs': 'process.exit(0);\n' });
  const result = await runCli(['exec', '--', './check.mjs'], { stdin: event, cwd });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('"#!/usr/bin/env node"');
});

test('of a long stderr the end is shown, and that it is the end', async () => {
  const denied = await exit('seq 100 200 >&2; exit 1');
  expect(denied.code).toBe(2);
  expect(answerOf(denied).decision.reason).toMatch(/\[the last 10 lines of stderr\]\n191\n(?:\d+\n)*200$/u);
  expect(answerOf(await exit('seq 10 >&2; exit 1')).decision.reason).toMatch(/^1\n/u);
});
