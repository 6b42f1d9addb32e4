import { expect, test } from 'vitest';
import { event, project, runCli, shellPack } from './cli.ts';

const quality = ['explain', '--packs', '.hookcell/hooks/quality.json'];

test('says which hook runs, and the final argv', async () => {
  const result = await runCli([...quality, 'events/write-env.json', '--json']);
  expect(result.code).toBe(0);
  expect(JSON.parse(result.stdout)).toMatchObject({
    version: 1,
    event: 'tool:before',
    hooks: [
      {
        hook: { pack: 'quality', id: 'protect-writes' },
        runs: true,
        argv: [expect.stringContaining('node'), expect.stringContaining('check-write.mjs')],
      },
    ],
  });
});

test('says which hook does not run, and why, for people', async () => {
  const stdin = JSON.stringify({ event: 'tool:before', data: { tool: 'read\u001b[2J', input: {} } });
  const result = await runCli(quality, { stdin });
  expect(result.code).toBe(0);
  expect(result.stdout).toMatch(/- quality\/protect-writes/u);
  expect(result.stdout).toContain('write, edit, *_delete');
  expect(result.stdout).not.toContain('\u001b');
});

test('a hook that could not be asked is a finding', async () => {
  const cwd = project({ 'pack.json': shellPack('true', {}, { command: './missing.sh' }) });
  const result = await runCli(['explain', '--packs', 'pack.json'], { cwd, stdin: event });
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(/✗ test\/check[^✓]*missing\.sh does not exist; create it/u);
  expect(result.stdout).not.toContain('✓');
});

test('packs that nobody accepted are a finding', async () => {
  const result = await runCli(['explain'], { stdin: event });
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(/✗ \S*quality\.json\n\s+untrusted: .*hookcell trust/u);
});

test.each([
  [['explain', '--timeout-ms', '0'], 64],
  [['explain', 'missing-event.json'], 65],
  [['explain', '--packs', 'missing.json', 'events/write-env.json'], 65],
])('%j exits %i: it is no hook entry', async (args, code) => {
  expect(await runCli(args, { stdin: event })).toMatchObject({ code, stdout: '' });
});
