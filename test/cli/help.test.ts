import { expect, test } from 'vitest';
import { answerOf, event, example, runCli } from './cli.ts';
import { runMain } from './in-process.ts';

/** With somebody at stdin. */
function atTerminal(args: readonly string[]): ReturnType<typeof runMain> {
  return runMain(args, { cwd: example, env: {}, systemDirectory: '/nowhere', isTTY: true });
}

const commands = [
  'run',
  'exec',
  'validate',
  'list',
  'explain',
  'try',
  'doctor',
  'capabilities',
  'schema',
  'init',
  'test',
  'trust',
];

test('--help names every command, and none that is not there', async () => {
  const { code, stdout, stderr } = await runCli(['--help']);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'mu'));
  expect(stdout).not.toMatch(/dialect/u);
});

test.each(commands)('%s --help has examples and exit codes, on stdout', async (command) => {
  const { code, stdout, stderr } = await atTerminal([command, '--help']);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toContain('Examples:');
  expect(stdout).toContain('Exit codes:');
  expect(stdout).toContain('--json');
});

test.each([
  ['exec -h'],
  ['run -h'],
  ['run --packs x --help'],
  ['exec --help -- ./check.mjs'],
  ['-V exec'],
  ['--version run'],
  ['help exec'],
  ['help run'],
  ['-h run'],
  ['--packs x -h'],
])('a hook entry of a host that has "%s" asks no hook, and does not read as "go on"', async (line) => {
  const result = await runCli(line.split(' '), { stdin: event });
  expect(result.code).toBe(2);
  expect(answerOf(result).decision).toMatchObject({ action: 'deny' });
  expect(result.stderr).toMatch(/Usage: hookcell|^\d+\.\d+\.\d+|expected a command/mu);
});

test.each([
  ['help tset', 'test'],
  ['tset --help', 'test'],
  ['tset -h', 'test'],
  ['help rnu', 'run'],
  ['exce -h -- ./check.mjs', 'exec'],
])('a misspelt command in "%s" is named, and not taken for a wish for help', async (line, meant) => {
  const [first, second] = line.split(' ');
  const result = await runCli(line.split(' '), { stdin: event });
  expect(result.code).toBe(2);
  expect(answerOf(result).decision.action).toBe('deny');
  expect(result.stderr).toContain(`unknown command '${first === 'help' ? second : first}' (Did you mean ${meant}?)`);
  expect(result.stderr).not.toContain('Usage:');
});

test.each([['list -h'], ['help validate'], ['-h doctor'], ['help'], ['-h']])(
  '"%s" is no hook entry: 0 without a terminal',
  async (line) => {
    const { code, stdout } = await runCli(line.split(' '));
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: hookcell');
  },
);

test('hookcell alone says what there is, to people without an answer for hosts', async () => {
  const typed = await atTerminal([]);
  expect(typed).toMatchObject({ code: 2, stdout: '' });
  expect(typed.stderr).toContain('Commands:');
  const asked = await runCli([], { stdin: event });
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('Commands:');
  expect(answerOf(asked).decision.action).toBe('deny');
});

test.each([['--version'], ['-V']])('%s prints the version of the package', async (flag) => {
  const { code, stdout } = await runCli([flag]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/u);
});

test('help COMMAND is the same as COMMAND --help', async () => {
  const [one, other] = await Promise.all([atTerminal(['help', 'run']), atTerminal(['run', '--help'])]);
  expect(one).toEqual(other);
});
