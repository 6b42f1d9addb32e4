import { expect, test } from 'vitest';
import { runCli } from './cli.ts';

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
  const { code, stdout, stderr } = await runCli([command, '--help']);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toContain('Examples:');
  expect(stdout).toContain('Exit codes:');
  expect(stdout).toContain('--json');
});

test.each([['--version'], ['-V']])('%s prints the version of the package', async (flag) => {
  const { code, stdout } = await runCli([flag]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/u);
});

test('help COMMAND is the same as COMMAND --help', async () => {
  const [one, other] = await Promise.all([runCli(['help', 'run']), runCli(['run', '--help'])]);
  expect(one).toEqual(other);
});
