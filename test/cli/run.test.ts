import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allow, answerOf, event, example, project, runCli, shellPack } from './cli.ts';

const quality = ['run', '--packs', '.hookcell/hooks/quality.json'];
const fixture = (name: string) => readFileSync(path.join(example, 'events', name));

test('the example allows a write to a source file', async () => {
  const result = await runCli(quality, { stdin: fixture('write-source.json') });
  expect(result).toMatchObject({ code: 0, stdout: '{"decision":{"action":"allow"}}\n' });
  expect(result.stderr).toMatch(/^hookcell: tool:before allowed \(1 hook, \d+ ms\)\n$/u);
});

test('the example denies a write to an environment file', async () => {
  const result = await runCli(quality, { stdin: fixture('write-env.json') });
  expect(result.code).toBe(2);
  expect(answerOf(result).decision).toEqual({
    action: 'deny',
    reason: expect.stringContaining('environment files'),
  });
  expect(result.stderr).toMatch(
    /^hookcell: tool:before denied: .*environment files hold secrets \(1 hook, \d+ ms\)\n$/u,
  );
});

test('a hook that hangs is cut off, with the cause, and blocks', async () => {
  const result = await runCli(['run', '--packs', 'packs/hanging.json', '--json'], {
    stdin: fixture('write-source.json'),
  });
  expect(result.code).toBe(2);
  expect(answerOf(result)).toMatchObject({
    version: 1,
    event: 'tool:before',
    decision: { action: 'deny' },
    failedOpen: [],
    outcomes: [{ hook: { pack: 'hanging', id: 'never-answers' }, status: 'failed', cause: 'timeout', timeoutMs: 1500 }],
  });
  expect(result.stderr).toContain('cause timeout');
});

test('an event that no hook matches goes on', async () => {
  const stdin = JSON.stringify({ event: 'tool:before', data: { tool: 'read', input: {} } });
  expect(await runCli(quality, { stdin })).toMatchObject({ code: 0, stdout: '{"decision":{"action":"allow"}}\n' });
});

test.each([
  ['ask', 2],
  ['defer', 2],
  ['stop', 2],
  ['deny', 2],
  ['allow', 0],
])('%s exits %i', async (action, code) => {
  const cwd = project({ 'pack.json': shellPack(`cat >/dev/null; echo '{"decision":{"action":"${action}"}}'`) });
  const result = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd });
  expect(result.code).toBe(code);
  expect(answerOf(result).decision.action).toBe(action);
});

test('a modified event is beside the decision, and numbers keep their text', async () => {
  const answer = '{"decision":{"action":"modify","data":{"input":{"path":"b.txt"}}}}';
  const cwd = project({ 'pack.json': shellPack(`cat >/dev/null; echo '${answer}'`) });
  const stdin = '{"event":"tool:before","data":{"tool":"write","big":12345678901234567890,"input":{"path":"a.txt"}}}';
  const result = await runCli(['run', '--packs', 'pack.json'], { stdin, cwd });
  expect(result.code).toBe(0);
  expect(result.stdout).toContain('"big":12345678901234567890');
  expect(answerOf(result)).toMatchObject({
    decision: { action: 'modify' },
    data: { tool: 'write', input: { path: 'b.txt' } },
  });
});

test('bare data with --event', async () => {
  const stdin = JSON.stringify({ tool: 'write', input: { path: 'key.pem' } });
  const result = await runCli([...quality, '--event', 'tool:before'], { stdin });
  expect(result.code).toBe(2);
  expect(answerOf(result).decision.reason).toContain('key.pem');
});

test('what a pack asks beyond the flags is refused, with the flag that would grant it', async () => {
  const pack: Record<string, unknown> = JSON.parse(shellPack(allow));
  const cwd = project({ 'pack.json': JSON.stringify({ ...pack, sandbox: { network: 'host', env: ['CI'] } }) });
  const refused = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd, env: { CI: '1' } });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/--network host.*--env CI/u);
  const granted = await runCli(['run', '--packs', 'pack.json', '--network', 'host', '--env', 'CI'], {
    stdin: event,
    cwd,
    env: { CI: '1' },
  });
  expect(granted.code).toBe(0);
});

test('a failure that is let pass is a warning', async () => {
  const cwd = project({ 'pack.json': shellPack('exit 3', { onFailure: 'continue' }) });
  const result = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd });
  expect(result.code).toBe(0);
  expect(result.stderr).toContain('warning: test/check failed open: nonzero_exit');
});

test('hooks that only watch are awaited after the verdict', async () => {
  const cwd = project({ 'pack.json': shellPack(`sleep 1; ${allow}`, { mode: 'observe' }) });
  expect(await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd })).toMatchObject({ code: 0 });
});

test('where hooks only watch, nobody says that no hook was asked', async () => {
  const cwd = project({ 'pack.json': shellPack(allow, { mode: 'observe' }) });
  const { stderr } = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd });
  expect(stderr).toBe('hookcell: tool:before allowed (no controlling hook was asked)\n');
});
