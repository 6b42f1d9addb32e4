import { once } from 'node:events';
import { expect, test } from 'vitest';
import { event, project, resultOf, runCli, shellPack, startCli } from './cli.ts';

const slow = ['exec', '--timeout-ms', '40000', '--', 'sleep', '40'];

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s while a hook runs: exit 2', async (signal) => {
  const child = startCli(slow);
  const ended = resultOf(child);
  child.stdin?.end(event);
  setTimeout(() => child.kill(signal), 1_500);
  expect(await ended).toMatchObject({ code: 2, signal: null });
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
  expect(await ended).toMatchObject({ code: 2 });
});

test('a sandbox that cannot be had: exit 2 and the remedy', async () => {
  const result = await runCli(['exec', '--backend', 'bubblewrap', '--read', '/no/such', '--', '/bin/true'], {
    stdin: event,
  });
  expect(result.code).toBe(2);
});
