import { describe, expect, test } from 'vitest';
import { answerOf, event, runCli } from './cli.ts';

const shared: readonly (readonly [readonly string[], RegExp])[] = [
  [['--no-such-flag'], /unknown option '--no-such-flag'/u],
  [['--backend', 'chroot'], /--backend.*auto, bubblewrap, none/u],
  [['--profile', 'fast'], /--profile.*oss, managed/u],
  [['--project', 'write'], /--project.*none, files, read/u],
  [['--network', 'lan'], /--network.*none, host/u],
  [['--network', 'none', '--network', 'host'], /--network.*given twice/u],
  [['--timeout-ms', '0'], /--timeout-ms.*from 1 to 600000/u],
  [['--timeout-ms', '-1'], /--timeout-ms.*from 1 to 600000/u],
  [['--timeout-ms', '0.5'], /--timeout-ms.*from 1 to 600000/u],
  [['--timeout-ms', '5s'], /--timeout-ms.*from 1 to 600000/u],
  [['--timeout-ms', '600001'], /--timeout-ms.*from 1 to 600000/u],
  [['--timeout-ms', '1e3'], /--timeout-ms.*from 1 to 600000/u],
  [['--memory-mb', '0'], /--memory-mb.*MiB/u],
  [['--max-processes', '1025'], /--max-processes.*from 1 to 1024/u],
  [['--max-output-bytes', '16777217'], /--max-output-bytes.*16777216/u],
  [['--env', 'NOT_SET_HERE'], /NOT_SET_HERE is not set/u],
  [['--env', 'NAME=secret-value'], /expected a name/u],
  [['--env', 'LD_PRELOAD'], /LD_PRELOAD/u],
  [['--read', '/no/such/path'], /\/no\/such\/path/u],
  [['--read=~/list.txt'], /"~" is not expanded here: write the whole path/u],
  [['--write', '/no/such/path'], /\/no\/such\/path/u],
  [['--event', ''], /--event/u],
  // Before a `--` it takes that for its value.
  [['--event'], /--event.*missing|expected the event "--"/u],
];

describe.each([
  ['run', ['--packs', '.hookcell/hooks/quality.json'], []],
  ['exec', [], ['--', '/bin/true']],
] as const)('%s', (command, before, after) => {
  test.each(shared)('%j blocks with exit 2, one answer and the flag', async (flags, message) => {
    const env = { LD_PRELOAD: '' };
    const result = await runCli([command, ...before, ...flags, ...after], { stdin: event, env });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toContain('secret-value');
    expect(answerOf(result).decision.action).toBe('deny');
  });

  test('a mistake points at the help of its own command', async () => {
    const result = await runCli([command, '--no-such-flag', ...after], { stdin: event });
    expect(result.stderr).toContain(`See: hookcell ${command} --help\n`);
  });

  test('a failure with --json is one document with the decision and the error', async () => {
    const result = await runCli([command, '--json', '--timeout-ms', '0', ...after], { stdin: event });
    expect(result.code).toBe(2);
    expect(answerOf(result)).toMatchObject({
      version: 1,
      decision: { action: 'deny' },
      error: { code: 'usage', message: expect.stringContaining('--timeout-ms') },
    });
  });
});

describe('exec', () => {
  test.each([
    [['exec'], /missing required argument 'program'/u],
    [['exec', '--'], /missing required argument 'program'/u],
    [['exec', '--shell', '--', 'echo', 'two'], /--shell.*one argument/u],
    [['exec', '--decide', 'maybe', '--', 'true'], /--decide.*json, exit-code/u],
    [['exec', '--mode', 'watch', '--', 'true'], /--mode.*control, observe/u],
    [['exec', '--on-empty', 'allow', '--', 'true'], /--on-empty.*fail, no-opinion/u],
    [['exec', '--on-failure', 'allow', '--', 'true'], /--on-failure.*block, continue/u],
  ])('%j blocks', async (args, message) => {
    const result = await runCli(args, { stdin: event });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(answerOf(result).decision.action).toBe('deny');
  });

  test('flags after the program are the program’s', async () => {
    const result = await runCli(['exec', '--', '/bin/sh', '-c', 'exit 3', '--json', '--timeout-ms', '0'], {
      stdin: event,
    });
    expect(result.code).toBe(2);
    expect(answerOf(result)).not.toHaveProperty('error');
    expect(result.stderr).toContain('nonzero_exit');
  });
});

describe('other commands', () => {
  test.each([
    [['doctor', '--no-such-flag'], 64],
    [['capabilities', 'extra'], 64],
    [['schema', 'no-such-schema'], 64],
    [['validate', '--fix'], 64],
    // A misspelt or missing command may be a hook entry: it must not read as "go on".
    [['rnu', '--packs', 'x'], 2],
    [[], 2],
    [['--packs', 'x'], 2],
  ])('%j exits %i', async (args, code) => {
    const result = await runCli(args, { stdin: event });
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(/^hookcell: /mu);
    if (code === 64) expect(result.stdout).toBe('');
    expect(result.stderr).toContain(`See: hookcell ${code === 64 ? `${args[0]} ` : ''}--help\n`);
  });
});
