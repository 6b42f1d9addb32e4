import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plant, scratchDirectory } from '../support/view.ts';
import { answerOf, event, runCli, shellPack } from './cli.ts';
import { runMain } from './in-process.ts';

const say = (reason: string): string => `cat >/dev/null; printf '{"decision":{"action":"deny","reason":"${reason}"}}'`;

/** A project with one pack that denies, and the configuration directories of the system and of a user. */
function place(files: Readonly<Record<string, string>> = {}) {
  const top = plant(scratchDirectory(), {
    'project/pack.json': shellPack(say('asked')),
    'etc/': '',
    'xdg/hookcell/': '',
    ...files,
  });
  const env = {
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: path.join(top, 'xdg'),
    XDG_STATE_HOME: path.join(top, 'state'),
  };
  return { top, cwd: path.join(top, 'project'), systemDirectory: path.join(top, 'etc'), env, stdin: event };
}

const run = ['run', '--packs', 'pack.json', '--backend', 'none'];

describe('a configuration that cannot be used', () => {
  const broken = { 'xdg/hookcell/config.json': '{ "version": 1, "grnat": {} }' };

  test('blocks run, with file, line, column and remedy', async () => {
    const here = place(broken);
    const result = await runCli(run, here);
    expect(result.code).toBe(2);
    expect(answerOf(result).decision.action).toBe('deny');
    expect(result.stderr).toContain(
      `${here.top}/xdg/hookcell/config.json:1:17: unknown key "grnat"; did you mean "grant"?`,
    );
  });

  test.each(['list', 'explain'])('is exit code 78 of %s', async (command) => {
    const result = await runCli([command, '--json'], place(broken));
    expect(result.code).toBe(78);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'invalid_configuration' } });
  });

  test('is exit code 78 of doctor, which is not ready then', async () => {
    const { code, stdout } = await runCli(['doctor'], place(broken));
    expect(code).toBe(78);
    expect(stdout).toMatch(/The configuration cannot be used, so every hook would block: .*unknown key "grnat"/u);
    expect(stdout).not.toContain('Ready');
    const here = place({ 'xdg/hookcell/config.json': '{"version":1}' });
    chmodSync(path.join(here.top, 'xdg/hookcell/config.json'), 0o666);
    const others = await runCli(['doctor'], here);
    expect(others.code).toBe(78);
    expect(others.stdout.split('config.json may be changed')).toHaveLength(1);
    expect(others.stdout).toMatch(/config\.json: may be changed by others \(mode 666\)/u);
  });

  test('since others may write to it blocks run', async () => {
    const here = place({ 'xdg/hookcell/config.json': '{"version":1}' });
    chmodSync(path.join(here.top, 'xdg/hookcell/config.json'), 0o666);
    expect(await runCli(run, here)).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod go-w') });
  });

  test('since it lies in the project blocks run: a repository must not write its own grants', async () => {
    const here = place({ 'project/xdg/hookcell/config.json': '{"version":1,"grant":{"network":"host"}}' });
    const env = { ...here.env, XDG_CONFIG_HOME: path.join(here.cwd, 'xdg') };
    expect(await runCli(run, { ...here, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('outside the project'),
    });
    // A relative one is none at all.
    const relative = await runCli(run, { ...here, env: { ...here.env, XDG_CONFIG_HOME: 'xdg', HOME: here.top } });
    expect(answerOf(relative).decision.reason).toBe('asked');
  });
});

describe('the kill switch', () => {
  const off = { HOOKCELL_HOOKS: 'off' };

  test('is told as hooks that were skipped, not as hooks that allowed', async () => {
    const here = place();
    const result = await runMain(run, { ...here, env: { ...here.env, ...off } });
    expect(result.stderr).toMatch(/tool:before allowed \(1 hook skipped, 0 ms\)/u);
  });

  test('that the user forbids has no effect, and says so', async () => {
    const here = place({ 'xdg/hookcell/config.json': '{"version":1,"killSwitch":"forbid"}' });
    const result = await runCli(run, { ...here, env: { ...here.env, ...off } });
    expect(answerOf(result).decision).toEqual({ action: 'deny', reason: 'asked' });
    expect(result.stderr).toContain('HOOKCELL_HOOKS=off has no effect: user file');
  });

  test('that the system forbids has none either, and a user cannot allow it', async () => {
    const here = place({
      'etc/config.json': '{"version":1,"killSwitch":"forbid"}',
      'xdg/hookcell/config.json': '{"version":1,"killSwitch":"allow"}',
    });
    const result = await runMain(run, { ...here, env: { ...here.env, ...off } });
    expect(result.code).toBe(2);
    expect(answerOf(result).decision).toEqual({ action: 'deny', reason: 'asked' });
    expect(result.stderr).toContain('system file');
  });

  test('that nobody forbids is recorded in the verdict', async () => {
    const here = place();
    const result = await runCli([...run, '--json'], { ...here, env: { ...here.env, ...off } });
    expect(result.code).toBe(0);
    expect(answerOf(result)).toMatchObject({
      outcomes: [{ status: 'skipped', message: expect.stringContaining('kill switch') }],
    });
  });
});

describe('the system’s configuration', () => {
  const bubblewrap = { 'etc/config.json': '{"version":1,"backend":"bubblewrap"}' };

  test('keeps the wall against a flag and against the user’s file', async () => {
    const byFlag = await runMain(run, place(bubblewrap));
    expect(byFlag).toMatchObject({ code: 2, stderr: expect.stringContaining('flag --backend') });
    const here = place({ ...bubblewrap, 'xdg/hookcell/config.json': '{"version":1,"backend":"none"}' });
    const byFile = await runMain(['list', '--packs', 'pack.json'], here);
    expect(byFile).toMatchObject({ code: 78, stderr: expect.stringContaining('user file') });
  });

  test('is at no place that a variable names', async () => {
    const here = place({ 'xdg/hookcell/config.json': '{"version":1}' });
    const env = { ...here.env, HOOKCELL_SYSTEM: here.systemDirectory, XDG_CONFIG_DIRS: here.systemDirectory };
    const { stdout } = await runCli(['list', '--json'], { ...here, env });
    expect(JSON.parse(stdout)).toMatchObject({
      configuration: [{ file: '/etc/hookcell/config.json' }, { found: true }],
    });
  });

  test('brings packs that run in every project, first, and under exec too', async () => {
    const here = place({ 'etc/packs/audit.json': shellPack(say('by the organization')).replace('"test"', '"audit"') });
    for (const argv of [
      [...run, '--json'],
      ['exec', '--json', '--backend', 'none', '--', '/bin/true'],
    ]) {
      const result = await runMain(argv, here);
      expect(answerOf(result)).toMatchObject({
        decision: { action: 'deny', reason: 'by the organization' },
        outcomes: [{ hook: { pack: 'audit' } }, { status: 'skipped' }],
      });
    }
  });
});

describe('flags', () => {
  const seen = `reason=$(grep -o 'token":"[^"]*"' | tr -d '"'); printf '{"decision":{"action":"deny","reason":"%s"}}' "$reason"`;
  const secret = JSON.stringify({ event: 'tool:before', data: { tool: 'write', input: { token: 'hunter2hunter2' } } });

  test('--reveal shows a value that the pack asks to see, and records it', async () => {
    const reveal = '/hook/data/input/token';
    const withReveal = JSON.stringify({ ...JSON.parse(shellPack(seen)), reveal: [reveal] });
    const here = { ...place({ 'project/pack.json': withReveal }), stdin: secret };
    expect(await runCli(run, here)).toMatchObject({ code: 2, stderr: expect.stringContaining(`--reveal ${reveal}`) });
    const exec = ['exec', '--backend', 'none', '--reveal', reveal, '--shell', '--', 'grep -q hunter2 && exit 1'];
    const result = await runCli([...exec.slice(0, 1), '--decide', 'exit-code', ...exec.slice(1)], here);
    expect(answerOf(result).decision.action).toBe('deny');
    expect(result.stdout).not.toContain('could not be asked');
  });

  test('--agent selects without --packs, and selects nothing that is not there', async () => {
    const here = place({ 'project/agent.json': '{"hooks":["quality"]}' });
    expect(await runCli(['run', '--agent', 'agent.json'], here)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected one of no packs at all'),
    });
  });
});

/** A link to itself cannot be followed by root either, as a closed directory cannot by others. */
function unusable(variable: 'XDG_STATE_HOME' | 'XDG_CONFIG_HOME') {
  const here = place();
  const loop = path.join(here.top, 'loop');
  symlinkSync(loop, loop);
  return { ...here, env: { ...here.env, [variable]: loop } };
}

describe('a home that is not usable', () => {
  test.each([[['list']], [['trust', '--list']], [['trust', '--yes']]])(
    'is a fault of the configuration that names the variable, not an internal one: %j',
    async (args) => {
      const result = await runCli(args, unusable('XDG_STATE_HOME'));
      expect(result).toMatchObject({ code: 78, stderr: expect.stringContaining('HOME or XDG_STATE_HOME') });
      expect(result.stderr).not.toContain('internal error');
    },
  );

  test.each([
    [['doctor'], 'XDG_STATE_HOME'],
    [['doctor', '--report'], 'XDG_STATE_HOME'],
    [['doctor'], 'XDG_CONFIG_HOME'],
  ] as const)('is told by %j, which does not say "Ready" where every hook blocks: %s', async (args, variable) => {
    const result = await runCli(args, unusable(variable));
    expect(result.stdout).toContain(`HOME or ${variable}`);
    expect(result.stdout).not.toContain('Ready');
    expect([69, 78]).toContain(result.code);
  });

  test.each(['XDG_STATE_HOME', 'XDG_CONFIG_HOME'] as const)('blocks run, with %s in both answers', async (variable) => {
    const result = await runCli(run, unusable(variable));
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(variable) });
    expect(answerOf(result).decision.reason).toContain(variable);
  });
});

test('a required pack under HOOKCELL_HOOKS=off says which variable to unset, not to switch "it" off', async () => {
  const required = JSON.stringify({ ...JSON.parse(shellPack(say('asked'))), required: true });
  const here = place({ 'project/pack.json': required });
  const result = await runCli(run, { ...here, env: { ...here.env, HOOKCELL_HOOKS: 'off' } });
  expect(result.code).toBe(2);
  expect(answerOf(result).decision.reason).toContain('unset HOOKCELL_HOOKS');
});

test('a bad pack is told as FILE:LINE:COLUMN (POINTER), not as a path that does not exist', async () => {
  const here = place({ 'project/pack.json': '{"version":1}' });
  const { reason } = answerOf(await runCli(run, here)).decision;
  expect(reason).toMatch(/pack\.json(:\d+:\d+)? \(\/\w+\): /u);
  expect(reason).not.toContain('pack.json/');
});
