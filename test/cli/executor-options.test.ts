import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrap, liveTest, program, root } from '../support/capability.ts';
import type { CliResult } from './cli.ts';
import { answerOf, bin, event, project, runCli } from './cli.ts';

/** In no user database. */
const uid = 471_103;
const setpriv = program('setpriv');
const readable = {
  name: 'a checkout that other users can read',
  present: parents(path.dirname(bin)).every((directory) => (statSync(directory).mode & 0o005) === 0o005),
};

function parents(directory: string): string[] {
  return directory === '/' ? [] : [directory, ...parents(path.dirname(directory))];
}

const hook = ['exec', '--decide', 'exit-code', '--shell', '--', 'exit 0'];

function runAs(
  launcher: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  command: readonly string[] = hook,
): CliResult {
  const [file = '', ...args] = [...launcher, process.execPath, bin, ...command];
  const all = { PATH: process.env['PATH'] ?? '', ...env };
  const ended = spawnSync(file, args, { cwd, env: all, input: event, encoding: 'utf8', timeout: 45_000 });
  return { code: ended.status, signal: ended.signal, stdout: ended.stdout, stderr: ended.stderr };
}

const stranger = ['--dev-bind', '/', '/', '--unshare-user', '--uid', String(uid), '--gid', String(uid), '--'];

liveTest(bubblewrap, 'a user that is in no database, without HOME: told what to set', () => {
  for (const env of [{}, { HOME: '' }, { HOME: 'home' }]) {
    const result = runAs([bubblewrap.path, ...stranger], env, project({}));
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(
      /^HOME: expected an absolute path.*Set HOME, or both XDG_CONFIG_HOME and XDG_STATE_HOME/mu,
    );
    expect(result.stderr).not.toContain('internal error');
    expect(answerOf(result).decision.action).toBe('deny');
  }
});

liveTest(bubblewrap, 'a user that is in no database, without HOME, gets a report of the machine', () => {
  const result = runAs([bubblewrap.path, ...stranger], {}, project({}), ['doctor', '--report']);
  expect(result.stdout).toContain('### configuration');
  expect(result.stderr).not.toContain('internal error');
});

liveTest([root, setpriv, bubblewrap, readable], 'a user that is in no database has its hooks in the sandbox', () => {
  const home = project({});
  chownSync(home, uid, uid);
  const cwd = project({});
  chmodSync(cwd, 0o755);
  const launcher = [setpriv.path, '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  for (const env of [{ HOME: home }, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home }]) {
    expect(runAs(launcher, env, cwd)).toMatchObject({ code: 0, stdout: '{"decision":{"action":"allow"}}\n' });
  }
});

test('an empty or relative HOME does not name a place in the project', async () => {
  const cwd = project({});
  mkdirSync(path.join(cwd, '.config'));
  for (const HOME of ['', '.']) {
    await runCli(['exec', '--shell', '--', 'exit 1'], { stdin: event, cwd, env: { HOME } });
    expect(existsSync(path.join(cwd, '.local'))).toBe(false);
  }
});

describe('a directory for temporary files that cannot be used', () => {
  test.each([['/no/such/directory'], ['/etc/hostname'], ['/proc'], ['no-such-relative']])(
    'TMPDIR=%s: told with the remedy, by every command that needs it',
    async (TMPDIR) => {
      const blocked = await runCli(['exec', '--shell', '--', 'exit 1'], { stdin: event, env: { TMPDIR } });
      expect(blocked.code).toBe(2);
      expect(blocked.stderr).toMatch(/^TMPDIR: expected .*set TMPDIR to a directory/mu);
      expect(blocked.stderr).not.toContain('internal error');
      expect(answerOf(blocked).decision.action).toBe('deny');
      const doctor = await runCli(['doctor'], { env: { TMPDIR } });
      expect(doctor.code).toBe(69);
      expect(doctor.stderr).toMatch(/^TMPDIR: /mu);
    },
  );
});
