import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { endingSignals } from '../../src/cli/signals.ts';
import { answerOf, event, project, resultOf, runCli, shellPack, startCli } from './cli.ts';

const slow = ['exec', '--timeout-ms', '40000', '--', 'sleep', '40'];

/** Starts a hook that lets every failure pass, and waits until it runs. */
async function startHook(line: string, flags: readonly string[] = []): Promise<ReturnType<typeof startCli>> {
  const place = project({});
  const begin = `touch '${place}/begun'; ${line}`;
  const all = ['--timeout-ms', '40000', '--on-failure', 'continue', '--write', place, ...flags, '--shell', '--', begin];
  const child = startCli(['exec', ...all]);
  child.stdin?.end(event);
  await vi.waitFor(() => expect(existsSync(path.join(place, 'begun'))).toBe(true), { timeout: 30_000, interval: 50 });
  return child;
}

test.each(endingSignals)('%s while a hook runs that may fail: a deny on stdout as in the exit code', async (signal) => {
  const child = await startHook('sleep 40');
  const ended = resultOf(child);
  child.kill(signal);
  const result = await ended;
  expect(result).toMatchObject({ code: 2, signal: null });
  expect(answerOf(result).decision.action).toBe('deny');
  // Node would open a port for a debugger.
  expect(result.stderr).not.toMatch(/debugger/iu);
});

test('a signal after the answer is out does not contradict it', async () => {
  const child = startCli(['exec', '--mode', 'observe', '--timeout-ms', '40000', '--', 'sleep', '40']);
  const ended = resultOf(child);
  child.stdin?.end(event);
  if (child.stdout !== null) await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const result = await ended;
  expect(answerOf(result).decision.action).toBe('allow');
  expect(result).toMatchObject({ code: 0, signal: null });
});

test('SIGTERM while stdin is awaited: exit 2', async () => {
  const child = startCli(slow);
  const ended = resultOf(child);
  setTimeout(() => child.kill('SIGTERM'), 1_000);
  expect(await ended).toMatchObject({ code: 2, signal: null });
});

test('a reader of stdout that went away: exit 2, since the answer reached nobody', async () => {
  const child = startCli(['exec', '--shell', '--', `cat >/dev/null; echo '{"decision":{"action":"allow"}}'`]);
  const ended = resultOf(child);
  child.stdout?.destroy();
  await once(child, 'spawn');
  child.stdin?.end(event);
  expect(await ended).toMatchObject({ code: 2, signal: null });
});

test('a reader of stderr that went away changes nothing', async () => {
  const child = startCli(['exec', '--shell', '--', `cat >/dev/null; echo '{"decision":{"action":"allow"}}'`]);
  const ended = resultOf(child);
  child.stderr?.destroy();
  child.stdin?.end(event);
  expect(await ended).toMatchObject({ code: 0, signal: null });
});

test('a working directory that was deleted: exit 2', async () => {
  const cwd = project({ 'pack.json': shellPack('exit 0') });
  const { spawn } = await import('node:child_process');
  const { bin } = await import('./cli.ts');
  const line = `rmdir_me=$PWD; rm -rf "$rmdir_me"; exec "${process.execPath}" "${bin}" exec -- /bin/true`;
  const child = spawn('/bin/sh', ['-c', line], { cwd, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  const ended = resultOf(child);
  child.stdin.end(event);
  const result = await ended;
  expect(result).toMatchObject({ code: 2 });
  expect(result.stderr).toMatch(/^working directory: .*Start in another directory$/mu);
  expect(answerOf(result).decision.action).toBe('deny');
});

test('a sandbox that cannot be had: exit 2 and the remedy', async () => {
  const result = await runCli(['exec', '--backend', 'bubblewrap', '--read', '/no/such', '--', '/bin/true'], {
    stdin: event,
  });
  expect(result.code).toBe(2);
});
