import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plant, scratchDirectory } from '../support/view.ts';
import { event, runCli } from './cli.ts';

const hook = { id: 'check', event: 'tool:before', handler: { type: 'command', command: ['/bin/true'] } };
const pack = (name: string, rest: object = {}, more: object = {}): string =>
  JSON.stringify({ version: 1, name, ...rest, hooks: [{ ...hook, ...more }] });

function place(files: Readonly<Record<string, string>>): {
  readonly cwd: string;
  readonly env: Record<string, string>;
} {
  const top = plant(scratchDirectory(), { 'project/': '', 'config/hookcell/': '', ...files });
  mkdirSync(path.join(top, 'state'));
  const env = { XDG_CONFIG_HOME: path.join(top, 'config'), XDG_STATE_HOME: path.join(top, 'state') };
  return { cwd: path.join(top, 'project'), env };
}

describe('list', () => {
  test('shows every hook with what it gets and who said so', async () => {
    const here = place({
      'project/quality.json': pack(
        'quality',
        { sandbox: { network: 'host', env: ['CI'] } },
        { matcher: { steps: ['s'] } },
      ),
      'config/hookcell/config.json': '{\n  "version": 1,\n  "grant": {\n    "env": ["CI"]\n  }\n}\n',
    });
    const result = await runCli(['list', '--packs', 'quality.json', '--network', 'host'], here);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(`project  ${here.cwd} (given)`);
    expect(result.stdout).toContain('\nstep\n✓ quality/check tool:before, control, priority 100');
    expect(result.stdout).toMatch(/network host \(pack request \S+quality\.json, granted by flag --network\)/u);
    expect(result.stdout).toMatch(/env CI \(pack request \S+, granted by user file \S+config\.json:4:13\)/u);
    expect(result.stdout).toContain('project read (default)');
  });

  test('as JSON has the same, and every limit', async () => {
    const here = place({ 'project/quality.json': pack('quality', { required: true }) });
    const result = await runCli(['list', '--packs', 'quality.json', '--timeout-ms', '90000', '--json'], here);
    expect(result.code).toBe(0);
    const flag = { from: 'flag', at: '--timeout-ms' };
    expect(JSON.parse(result.stdout)).toMatchObject({
      version: 1,
      project: { root: here.cwd, foundBy: 'given' },
      configuration: [
        { file: '/etc/hookcell/config.json' },
        { file: path.join(here.env['XDG_CONFIG_HOME'] ?? '', 'hookcell/config.json'), found: false },
      ],
      settings: expect.arrayContaining([
        { key: 'profile', value: 'oss', origin: { from: 'default' } },
        { key: 'totalTimeMs', value: 90_000, origin: { from: 'default' } },
      ]),
      hooks: [
        {
          hook: { pack: 'quality', id: 'check' },
          scope: 'project',
          required: true,
          timeoutMs: 90_000,
          effective: expect.arrayContaining([
            { key: 'timeoutMs', value: 90_000, origin: flag },
            { key: 'memoryBytes', value: 536_870_912, origin: { from: 'default' } },
          ]),
        },
      ],
      untrusted: [],
    });
  });

  test('ticks no hook whose script is missing, and exits 1 with the remedy', async () => {
    const missing = { handler: { type: 'command', command: './check.py' } };
    const here = place({ 'project/whole.json': pack('whole'), 'project/broken.json': pack('broken', {}, missing) });
    const result = await runCli(['list', '--packs', 'whole.json', '--packs', 'broken.json'], here);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('✓ whole/check');
    expect(result.stdout).toContain('✗ broken/check');
    expect(result.stdout).toMatch(/launch_failed: \S+project\/check\.py does not exist; create it/u);
  });

  test('runs nothing', async () => {
    const command = ['/bin/sh', '-c', 'echo ran > /tmp/ran; echo ran >&2'];
    const here = place({ 'project/quality.json': pack('quality', {}, { handler: { type: 'command', command } }) });
    for (const argv of [['list'], ['explain']]) {
      const result = await runCli([...argv, '--packs', 'quality.json', '--backend', 'none'], { ...here, stdin: event });
      expect(result).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('of a request beyond the grant is a finding, with the line that would grant it', async () => {
    const here = place({
      'project/quality.json': pack('quality', { sandbox: { write: ['out'] } }),
      'project/out/': '',
    });
    const result = await runCli(['list', '--packs', 'quality.json'], here);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(
      `--write out (once), or in ${here.env['XDG_CONFIG_HOME'] ?? ''}/hookcell/config.json: {`,
    );
  });

  test('finds the project above, and packs that nobody accepted', async () => {
    const here = place({ 'project/.hookcell/hooks/quality.json': pack('quality'), 'project/a/b/': '' });
    const result = await runCli(['list'], { ...here, cwd: path.join(here.cwd, 'a/b') });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(`project  ${here.cwd} (packs)`);
    expect(result.stdout).toMatch(/✗ \.hookcell\/hooks\/quality\.json\n\s+untrusted: .*hookcell trust/u);
  });

  test('shows no control characters of a pack', async () => {
    const here = place({ 'project/quality.json': pack('quality', {}, { matcher: { tools: ['a\u202eb'] } }) });
    const result = await runCli(['list', '--packs', 'quality.json'], here);
    expect(result.stdout).toContain('tools: ab');
  });

  test.each([
    [['list', '--packs', 'gone.json'], 65],
    [['list', '--reveal', 'token'], 64],
    [['list', '--project', 'all'], 64],
  ])('%j exits %i', async (args, code) => {
    expect(await runCli(args, place({}))).toMatchObject({ code, stdout: '' });
  });
});
