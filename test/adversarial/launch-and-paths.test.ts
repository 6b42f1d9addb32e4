import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultOf, startCli } from '../cli/cli.ts';
import { runMain } from '../cli/in-process.ts';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import {
  byGuard,
  decisionOf,
  denies,
  guardFile,
  packText,
  repository,
  scriptFile,
  toolEvent,
} from '../support/repository.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const wall = [linux, bubblewrap];
const answers = denies('by the guard');

/** What `validate`, before any event, and `run`, at an event, say of a command. */
async function tellOf(command: string | readonly string[], files: Readonly<Record<string, string>> = {}) {
  const place = repository({ ...files, [guardFile]: packText({ handler: { command }, hook: { onFailure: 'block' } }) });
  if (files['plain.sh'] !== undefined) chmodSync(path.join(place.root, 'plain.sh'), 0o644);
  const validated = await place.cli(['validate']);
  const ran = await place.cli(['run', '--json', '--packs', guardFile]);
  return { validated, ran };
}

describe('a project whose path has something in it that a shell would obey', () => {
  const names = [
    'My Proj',
    "it's",
    'a"b',
    '$HOME',
    '$(touch pwned)',
    '`x`',
    'a;b&c',
    'über 日本',
    '-rf',
    'a\\b',
    '*?[x]',
    '~',
    '#x',
  ];
  const commands: readonly [string, string | readonly string[]][] = [
    ['a program', './hooks/check.sh'],
    ['an array', ['/bin/sh', './hooks/check.sh']],
    ['a program and arguments', ['./hooks/check.sh', 'a b', '$x']],
    ['a shell line', 'cat >/dev/null; exec "$PWD/hooks/check.sh"'],
    ['a script with a space in its own name', ['./hooks/my check.sh']],
  ];

  for (const name of names) {
    liveTest(wall, `${JSON.stringify(name)}: every form of a command runs there, once it is accepted`, async () => {
      for (const [how, command] of commands) {
        const top = scratchDirectory();
        const cwd = plant(path.join(top, name), {
          [guardFile]: packText({ handler: { command } }),
          [scriptFile]: answers,
          'hooks/my check.sh': answers,
        });
        const env = {
          PATH: '/usr/bin:/bin',
          XDG_STATE_HOME: path.join(top, 'state'),
          XDG_CONFIG_HOME: path.join(top, 'config'),
        };
        const io = { cwd, env, systemDirectory: path.join(top, 'etc') };
        expect([how, (await runMain(['trust', '--yes'], io)).code]).toEqual([how, 0]);
        const result = await runMain(['run'], { ...io, stdin: JSON.stringify(toolEvent) });
        expect([how, decisionOf(result), result.code]).toEqual([how, byGuard, 2]);
      }
    });
  }
});

describe('a command that cannot be launched: found before any event, and blocked with the cause and what to do', () => {
  const crlf = answers.replaceAll('\n', '\r\n');
  const rows: readonly [string, string | readonly string[], Readonly<Record<string, string>>, RegExp][] = [
    ['a path with a typing mistake', './hooks/chekc.sh', {}, /did you mean .*check\.sh/u],
    ['an absolute path to nothing', '/no/such/hook.sh', {}, /does not exist/u],
    ['a tool that is not installed', 'not-installed-tool', {}, /no program "not-installed-tool".*install it/u],
    ['a tool that is not installed, in an array', ['not-installed-tool', '--x'], {}, /not-installed-tool/u],
    ['a script of an interpreter that is not there', ['python3', 'hooks/nothing.py'], {}, /missing/u],
    ['a script with Windows line ends', './crlf.sh', { 'crlf.sh': crlf }, /carriage return|CR/u],
    [
      'a script of an interpreter that is missing',
      './x',
      { x: '#!/usr/bin/no-such-interpreter\n' },
      /no-such-interpreter/u,
    ],
    ['a script that is not executable, in a shell line', './plain.sh --fast', { 'plain.sh': answers }, /chmod \+x/u],
    ['a directory', './hooks', {}, /directory/u],
    ['a path of the home directory', ['sh', '~/hook.sh'], {}, /home directory/u],
  ];

  test.each(rows)('%s', async (_what, command, files, words) => {
    const { validated, ran } = await tellOf(command, files);
    expect([validated.code, validated.stdout]).toEqual([1, expect.stringMatching(words)]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      decision: { action: 'deny', reason: expect.stringMatching(words) },
      outcomes: [{ status: 'failed', cause: 'launch_failed' }],
    });
  });

  test.each<[string, string]>([
    ['a drive', 'C:\\x\\guard.py'],
    ['a drive, after an interpreter', 'python3 C:\\x\\guard.py'],
    ['a relative path', '.\\hooks\\guard.cmd'],
    ['a share', '\\\\server\\hooks\\guard.cmd'],
  ])('a Windows path, of which a shell would take the backslashes: %s does not even load', async (_what, command) => {
    const { validated, ran } = await tellOf(command);
    expect([validated.code, validated.stdout]).toEqual([1, expect.stringContaining('Windows path')]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('Windows path')]);
  });

  test.each<[string, string]>([
    ['PreToolUse', 'tool:before'],
    ['before_tool_call', 'tool:before'],
    ['BeforeTool', 'tool:before'],
    ['tool:befor', 'tool:before'],
  ])('the event %s of another host does not load, and the right name is said', async (event, right) => {
    const place = repository({ [guardFile]: packText({ hook: { event } }) });
    const validated = await place.cli(['validate']);
    expect([validated.code, validated.stdout]).toEqual([1, expect.stringContaining(right)]);
    expect(await place.cli(['run', '--packs', guardFile])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(right),
    });
  });
});

describe('a script that runs and says nothing', () => {
  liveTest(wall, 'since it only exports a function: it is no allow, at any event', async () => {
    const module = { command: ['node', 'hooks/guard.cjs'] };
    const files = { 'hooks/guard.cjs': 'module.exports = (event) => ({ decision: { action: "deny" } });\n' };
    const place = repository({ ...files, [guardFile]: packText({ handler: module }) });
    await place.accept();
    const verdict = await place.ask({ hostPath: path.dirname(process.execPath) });
    expect(verdict).toMatchObject({
      decision: { action: 'deny' },
      outcomes: [{ status: 'failed', cause: 'empty_output' }],
    });
  });

  liveTest(wall, 'and a vector that expects a denial by the hook itself does not pass for it', async () => {
    const vector = {
      version: 1,
      event: toolEvent,
      packs: `../hooks/${path.basename(guardFile)}`,
      expect: { action: 'deny' },
    };
    const files = { [scriptFile]: '#!/bin/sh\nexit 0\n', '.hookcell/vectors/a.vector.json': JSON.stringify(vector) };
    const result = await repository(files).cli(['test']);
    expect([result.code, result.stdout]).toEqual([1, expect.stringContaining('empty_output')]);
  });
});

describe('a variable that a hook needs', () => {
  const reads = `#!/bin/sh\n[ -n "$FOO_KEY" ] || { echo "FOO_KEY is not set" >&2; exit 3; }\necho '{"decision":{"action":"deny","reason":"by the guard"}}'\n`;

  liveTest(wall, 'is not there unless the pack asks and the operator grants; each step is said', async () => {
    const env = { FOO_KEY: 'canary-8841' };
    const silent = repository({ [scriptFile]: reads });
    await silent.accept();
    expect(decisionOf(await silent.cli(['run'], { env })).reason).toContain('FOO_KEY is not set');

    const asks = repository({ [scriptFile]: reads, [guardFile]: packText({ sandbox: { env: ['FOO_KEY'] } }) });
    await asks.accept();
    expect(decisionOf(await asks.cli(['run'], { env })).reason).toContain('--env FOO_KEY');
    const granted = await asks.cli(['run', '--env', 'FOO_KEY'], { env });
    expect(decisionOf(granted)).toEqual(byGuard);
    expect(granted.stdout + granted.stderr).not.toContain('canary');
  });
});

describe('hooks that a repository ships', () => {
  liveTest(
    wall,
    'do not run on open, also where nobody can be asked, and never by a trust that fills itself',
    async () => {
      const marks = `#!/bin/sh\ntouch ran; echo '{"decision":{"action":"allow"}}'\n`;
      const place = repository({ [scriptFile]: marks, '.claude/settings.json': '{"hooks":{}}' });
      for (let round = 0; round < 2; round += 1) {
        for (const args of [
          ['run'],
          ['run', '--json'],
          ['explain'],
          ['list'],
          ['validate'],
          ['doctor'],
          ['trust', '--list'],
        ])
          await place.cli(args);
        const result = await place.cli(['run', '--backend', 'none']);
        expect([result.code, decisionOf(result).reason]).toEqual([2, expect.stringContaining('nobody accepted')]);
      }
      const silent = startCli(['trust'], { cwd: place.root, env: { XDG_STATE_HOME: path.join(place.top, 'state') } });
      silent.stdin?.end('yes\n');
      expect(await resultOf(silent)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
      expect(decisionOf(await place.cli(['run'])).reason).toContain('nobody accepted');
    },
  );

  liveTest(wall, 'reach no network although the tools of the host do, and say what they could not do', async () => {
    const calls = `#!/bin/sh\npython3 -c 'import socket; socket.create_connection(("127.0.0.1", 9), 2)' && echo '{"decision":{"action":"allow"}}'\n`;
    const place = repository({ [scriptFile]: calls });
    await place.accept();
    const { decision, outcomes } = await place.ask();
    expect(decision.action).toBe('deny');
    expect(outcomes).toMatchObject([{ status: 'failed', cause: 'nonzero_exit' }]);
    expect(outcomes[0]?.stderrTail).toMatch(/Permission denied|not permitted|unreachable/iu);
  });
});
