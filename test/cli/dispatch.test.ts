import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerOf, event, project, runCli } from './cli.ts';

function hook(id: string, line: string, more: object = {}): object {
  const handler = { type: 'command', command: ['/bin/sh', '-c', line], timeoutMs: 600_000 };
  return { id, event: 'tool:before', ...more, handler };
}

/** A controlling hook, and one beside it that only watches and takes its time. */
function watchedPack(answer: string, seconds: string): string {
  const hooks = [
    hook('check', `cat >/dev/null; echo '${answer}'`),
    hook('audit', `sleep ${seconds}`, { mode: 'observe' }),
  ];
  return JSON.stringify({ version: 1, name: 'test', hooks });
}

function isRunning(argument: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .some((name) => {
      try {
        return readFileSync(path.join('/proc', name, 'cmdline'), 'utf8')
          .split('\0')
          .includes(argument);
      } catch {
        return false;
      }
    });
}

describe('a hook that only watches, for ten minutes', () => {
  test.each([
    ['deny', 2, '{"decision":{"action":"deny","reason":"no"}}'],
    ['ask', 2, '{"decision":{"action":"ask","reason":"who?"}}'],
    ['modify', 0, '{"decision":{"action":"modify","data":{"input":{"path":"b.txt"}}}}'],
  ])('does not keep the exit code of a %s from a host that waits less long', async (action, code, answer) => {
    const seconds = `600.${process.pid}${code}${action.length}`;
    const cwd = project({ 'pack.json': watchedPack(answer, seconds) });
    const result = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd });
    expect(result).toMatchObject({ code, signal: null });
    expect(answerOf(result).decision.action).toBe(action);
    expect(result.stderr).toContain('test/audit, which only watches, was ended 2 s after the answer');
    expect(isRunning(seconds)).toBe(false);
  });
});

test('after an allow a hook that only watches has its own time', async () => {
  const pack = watchedPack('{"decision":{"action":"allow"}}', '4; exit 3');
  const result = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd: project({ 'pack.json': pack }) });
  expect(result.code).toBe(0);
  expect(result.stderr).toMatch(/test\/audit, which only watches, failed: exit code 3/u);
});

function run(depth: string): ReturnType<typeof runCli> {
  return runCli(['exec', '--on-failure', 'continue', '--shell', '--', 'exit 3'], {
    stdin: event,
    env: { HOOKCELL_DEPTH: depth },
  });
}

describe('HOOKCELL_DEPTH is no way to switch off hooks that may fail', () => {
  test.each([['3'], ['007'], ['999']])('%s is too deep: blocks', async (depth) => {
    const result = await run(depth);
    expect(result.code).toBe(2);
    expect(answerOf(result).decision.action).toBe('deny');
    expect(result.stderr).toContain('cause recursion_limit');
  });

  test.each([
    ['-1'],
    ['1.5'],
    ['1e1'],
    [' 1'],
    ['0x1'],
    ['1000'],
    ['Infinity'],
    ['\u0663'],
    ['9'.repeat(5_000)],
    ['1\n1'],
  ])('%j is no depth: blocks, with the remedy', async (depth) => {
    const result = await run(depth);
    expect(result.code).toBe(2);
    expect(answerOf(result).decision.action).toBe('deny');
    expect(result.stderr).toMatch(/^HOOKCELL_DEPTH: expected a whole number.*Unset it/mu);
    expect(result.stderr.length).toBeLessThan(1_000);
  });

  test.each([[''], ['0'], ['2']])('%j is deep enough to ask', async (depth) => {
    const result = await run(depth);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('failed open: nonzero_exit');
  });
});
