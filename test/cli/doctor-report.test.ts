import { hostname, userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { anonymise } from '../../src/cli/doctor/anonymise.ts';
import { runCli } from './cli.ts';

const identity = {
  homes: ['/home/ada', '/home/ada/sub'],
  users: ['ada', 'root'],
  hosts: ['engine.example.org', 'engine'],
};

describe('a report tells nothing of who it is about', () => {
  test.each([
    ['/home/ada/.config', '~/.config'],
    ['/home/ada', '~'],
    ['/home/ada/sub/x', '~/x'],
    ['/home/grace/x', '/home/<user>/x'],
    ['/Users/grace/x', '/Users/<user>/x'],
    ['run by ada on engine', 'run by <user> on <host>'],
    ['ENGINE.example.org', '<host>'],
    ['bwrap: ada@engine: no', 'bwrap: <user>@<host>: no'],
    ['6.1.0-engine #1', '6.1.0-<host> #1'],
    ['adapt the engineering of root', 'adapt the engineering of root'],
  ])('%s', (text, expected) => {
    expect(anonymise(text, identity)).toBe(expected);
  });

  test('names that would be patterns are names', () => {
    expect(anonymise('a.b axb /srv/(x-y/z', { homes: ['/srv/(x-y'], users: ['a.b', 'd-e'], hosts: ['c+'] })).toBe(
      '<user> axb ~/z',
    );
  });
});

test('doctor --report prints it as Markdown, with no value of the environment', async () => {
  const env = { USER: 'ada-lovelace', XDG_CONFIG_HOME: '/data/secret-place', HOOKCELL_DEPTH: '4711' };
  const { code, stdout } = await runCli(['doctor', '--report'], { env });
  expect([0, 1, 69]).toContain(code);
  expect(stdout).toContain('### kernel settings');
  expect(stdout).toMatch(/bubblewrap/u);
  expect(stdout).toContain('HOOKCELL_DEPTH');
  for (const value of Object.values(env)) expect(stdout).not.toContain(value);
  const { username, homedir } = userInfo();
  if (username !== 'root') expect(stdout).not.toContain(username);
  expect(stdout).not.toContain(`${homedir}/`);
  if (hostname().length > 3) expect(stdout.toLowerCase().split(/[^\w.-]/u)).not.toContain(hostname().toLowerCase());
});

test('one document or the other', async () => {
  expect(await runCli(['doctor', '--report', '--json'])).toMatchObject({ code: 64 });
});
