import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrap, linux, liveTest, program } from '../support/capability.ts';
import { plant, scratchDirectory } from '../support/view.ts';
import type { CliResult } from './cli.ts';
import { answerOf, bin, event, resultOf, runCli } from './cli.ts';

const wall = [linux, bubblewrap];
const packFile = '.hookcell/hooks/guard.json';
const script = `#!/bin/sh\necho '{"decision":{"action":"deny","reason":"by the guard"}}'\n`;

interface PackParts {
  readonly name?: string;
  readonly hook?: object;
  readonly [key: string]: unknown;
}

function packText({ name = 'guard', hook = {}, ...rest }: PackParts = {}): string {
  const handler = { type: 'command', command: './check.sh' };
  return JSON.stringify({ version: 1, name, ...rest, hooks: [{ id: 'h', event: 'tool:before', ...hook, handler }] });
}

interface Place {
  readonly top: string;
  readonly cwd: string;
  readonly cli: (...args: readonly string[]) => Promise<CliResult>;
}

function placed(files: Readonly<Record<string, string>> = {}): Place {
  const top = scratchDirectory();
  const cwd = plant(path.join(top, 'project'), { [packFile]: packText(), 'check.sh': script, 'sub/': '', ...files });
  const env = { XDG_STATE_HOME: path.join(top, 'state'), XDG_CONFIG_HOME: path.join(top, 'config') };
  return { top, cwd, cli: (...args) => runCli(args, { cwd, env, stdin: event }) };
}

describe('without a terminal', () => {
  test('says of what it accepted that it still blocks, since nobody granted it or it is not there', async () => {
    const { cwd, cli } = placed({ [packFile]: packText({ sandbox: { network: 'host' } }) });
    expect(await cli('trust', '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^accepted: 2 files\nhook guard\/h still blocks: .*network "host".*--network host/u,
      ),
    });
    writeFileSync(path.join(cwd, packFile), packText({ sandbox: { read: ['none'] } }));
    expect((await cli('trust', '--yes')).stderr).toMatch(/^hook guard\/h still blocks: .*do not exist: none/mu);
  });

  test('names what is known only when it runs in plain characters', async () => {
    const handler = { type: 'command', command: 'printf x && sh $X' };
    const pack = { version: 1, name: 'guard', hooks: [{ id: 'h', event: 'tool:before', handler }] };
    const { stdout } = await placed({ [packFile]: JSON.stringify(pack) }).cli('trust');
    expect(stdout).toContain('known only when it runs ($...)');
  });

  liveTest(wall, 'accepts by --yes only, and what was accepted runs until it changes', async () => {
    const { cwd, cli } = placed();
    expect(await cli('run')).toMatchObject({ code: 2, stdout: expect.stringContaining('hookcell trust') });
    expect(await cli('trust')).toMatchObject({ code: 1, stderr: expect.stringContaining('pass --yes') });
    expect((await cli('run')).stdout).toContain('nobody accepted');
    expect(await cli('trust', '--yes')).toMatchObject({ code: 0, stderr: 'accepted: 2 files\n' });
    expect(answerOf(await cli('run')).decision).toEqual({ action: 'deny', reason: 'by the guard' });
    expect(await cli('trust')).toMatchObject({ code: 0, stderr: 'unchanged: 2 files, as accepted\n' });
    appendFileSync(path.join(cwd, 'check.sh'), '# more\n');
    expect(await cli('run')).toMatchObject({ code: 2, stdout: expect.stringContaining('check.sh changed') });
    expect(await cli('trust', '--yes')).toMatchObject({ code: 0 });
    expect(answerOf(await cli('run')).decision.reason).toBe('by the guard');
  });

  test('takes back what was accepted, from a directory below, and when the project is gone', async () => {
    const { top, cwd, cli } = placed();
    await cli('trust', '--yes');
    expect(await cli('trust', '--revoke', path.join(cwd, 'sub'))).toMatchObject({ code: 1 });
    const env = { XDG_STATE_HOME: path.join(top, 'state') };
    expect(await runCli(['trust', '--revoke'], { cwd: path.join(cwd, 'sub'), env })).toMatchObject({ code: 0 });
    expect((await cli('run')).stdout).toContain('nobody accepted');
    await cli('trust', '--yes');
    rmSync(cwd, { recursive: true });
    const revoked = await runCli(['trust', '--revoke', cwd, '--json'], { cwd: top, env });
    expect(JSON.parse(revoked.stdout)).toEqual({ version: 1, project: cwd, revoked: true });
  });

  test('lists every project, and whether it is as it was accepted', async () => {
    const { top, cwd, cli } = placed();
    expect(await cli('trust', '--list')).toMatchObject({ code: 0, stdout: '' });
    for (const name of ['changed', 'gone']) {
      plant(path.join(top, name), { [packFile]: packText(), 'check.sh': script });
      expect(await cli('trust', path.join(top, name), '--yes')).toMatchObject({ code: 0 });
    }
    await cli('trust', '--yes');
    writeFileSync(path.join(top, 'changed/check.sh'), '');
    rmSync(path.join(top, 'gone'), { recursive: true });
    const listed = await cli('trust', '--list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      version: 1,
      projects: [
        { project: path.join(top, 'changed'), state: 'changed' },
        { project: path.join(top, 'gone'), state: 'missing' },
        { project: cwd, state: 'unchanged', packs: [packFile], files: 2 },
      ],
    });
    expect((await cli('trust', '--list')).stdout).toContain('(2 files)');
    expect((await cli('trust', '--list')).stdout).toMatch(/^changed .*\nmissing .*\nunchanged .*\n$/u);
  });

  test.each<[string, readonly string[], number]>([
    ['no packs', ['trust', 'sub'], 65],
    ['a directory that is not there', ['trust', 'missing'], 65],
    ['an agent.json that is not there', ['trust', '--yes', '--agent', 'missing.json'], 1],
    ['--list of one project', ['trust', '.', '--list'], 64],
    ['--list and --revoke', ['trust', '--list', '--revoke'], 64],
    ['--revoke --yes', ['trust', '--revoke', '--yes'], 64],
    ['nothing to revoke', ['trust', '--revoke'], 1],
  ])('%s', async (_what, args, code) => {
    expect(await placed().cli(...args)).toMatchObject({ code });
  });

  test('packs that are all gone', async () => {
    const { cwd, cli } = placed();
    await cli('trust', '--yes');
    rmSync(path.join(cwd, '.hookcell'), { recursive: true });
    expect(await cli('trust', '--yes')).toMatchObject({ code: 65, stderr: expect.stringContaining('--revoke') });
    expect(await cli('run')).toMatchObject({ code: 2 });
  });

  test('a store that others may write to', async () => {
    const { top, cli } = placed();
    await cli('trust', '--yes');
    chmodSync(path.join(top, 'state/hookcell/trust'), 0o777);
    for (const args of [['trust'], ['trust', '--list'], ['trust', '--revoke']])
      expect(await cli(...args)).toMatchObject({ code: 78, stderr: expect.stringContaining('chmod') });
    expect(await cli('run')).toMatchObject({ code: 2 });
  });
});

test('--yes accepted a line that runs what nobody can pin', async () => {
  const hooks = [{ id: 'h', event: 'tool:before', handler: { type: 'command', command: 'sh "$(cat name)"' } }];
  const pack = { version: 1, name: 'guard', hooks };
  const { cwd, cli } = placed({ name: 'check.sh', [packFile]: JSON.stringify(pack) });
  const refused = await cli('trust', '--yes');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes does not cover') });
  expect(refused.stdout).toContain('name what it runs in "files"');
  writeFileSync(path.join(cwd, packFile), JSON.stringify({ ...pack, files: ['check.sh', 'name'] }));
  expect(await cli('trust', '--yes')).toMatchObject({ code: 0 });
});

describe('packs with findings are never accepted', () => {
  test('a script that is not there, which validate finds', async () => {
    const { cwd, cli } = placed();
    rmSync(path.join(cwd, 'check.sh'));
    const refused = await cli('trust', '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('hook "h" cannot be launched') });
    expect(refused.stderr).toContain('not accepted');
    expect(await cli('trust', '--list')).toMatchObject({ stdout: '' });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['an unknown key', { [packFile]: packText({ surprise: true }) }],
    ['two of one name', { '.polpo/hooks/x.json': packText() }],
    ['an inline secret', { [packFile]: packText({ description: `ghp_${'a1B2'.repeat(9)}` }) }],
  ])('%s', async (_what, files) => {
    const { cli } = placed(files);
    expect(await cli('trust', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('mend this first') });
    expect((await cli('run')).stdout).toContain('nobody accepted');
  });

  test('a link out of the project', async () => {
    const { cwd, cli } = placed();
    symlinkSync('/etc/passwd', path.join(cwd, '.hookcell/hooks/x.json'));
    const result = await cli('trust', '--yes', '--json');
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({ accepted: false, findings: [{ code: 'escapes' }] });
    expect(result.stdout).not.toContain('root:');
  });
});

describe('what is shown', () => {
  test('everything that a pack asks for', async () => {
    const sandbox = { network: 'host', env: ['CI'], write: ['sub'], read: ['/usr/share'], project: 'files' };
    const hook = { onFailure: 'continue', matcher: { tools: ['write'] } };
    const pack = { sandbox, hook, required: true, files: ['lib/**'], reveal: ['/hook/data/input/token'] };
    const { cli } = placed({ [packFile]: packText(pack), 'lib/a.txt': '' });
    const { stdout } = await cli('trust');
    for (const text of [
      'the network',
      'variable CI',
      'to write sub',
      'to read /usr/share',
      'project files',
      'required',
    ])
      expect(stdout).toContain(text);
    for (const text of [
      '/hook/data/input/token',
      'lib/**',
      'lib/a.txt',
      './check.sh',
      'tool write',
      'goes on when it fails',
    ])
      expect(stdout).toContain(text);
    const json = JSON.parse((await cli('trust', '--json')).stdout);
    expect(json).toMatchObject({
      version: 1,
      accepted: false,
      changes: [],
      packs: [
        {
          name: 'guard',
          file: packFile,
          required: true,
          reveal: ['/hook/data/input/token'],
          hooks: [{ id: 'h', event: 'tool:before', sandbox, command: './check.sh', files: ['check.sh', 'lib/a.txt'] }],
        },
      ],
      files: [{ path: packFile }, { path: 'check.sh', mode: 'x' }, { path: 'lib/a.txt' }],
    });
  });

  test('what changed since, line by line', async () => {
    const { cwd, cli } = placed({
      [packFile]: packText({ files: ['lib/*'] }),
      'lib/old.txt': 'old\n',
      'lib/bin': '\0',
    });
    await cli('trust', '--yes');
    writeFileSync(path.join(cwd, 'check.sh'), script.replace('guard', 'stranger'));
    rmSync(path.join(cwd, 'lib/old.txt'));
    writeFileSync(path.join(cwd, 'lib/new.txt'), 'new\n');
    writeFileSync(path.join(cwd, 'lib/bin'), '\0\0');
    const { stdout } = await cli('trust');
    expect(stdout).toContain('changed check.sh\n--- accepted\n+++ now\n');
    expect(stdout).toMatch(/^- echo .*guard.*\n\+ echo .*stranger/mu);
    expect(stdout).toContain('removed lib/old.txt\n--- accepted\n+++ nothing\n- old\n');
    expect(stdout).toContain('added lib/new.txt\n--- nothing\n+++ now\n+ new\n');
    expect(stdout).toMatch(/changed lib\/bin\n.*binary/u);
    const { changes } = JSON.parse((await cli('trust', '--json')).stdout);
    expect(changes.map(({ kind, path: name }: { kind: string; path: string }) => `${kind} ${name}`)).toEqual([
      'changed check.sh',
      'changed lib/bin',
      'added lib/new.txt',
      'removed lib/old.txt',
    ]);
  });

  test('nothing that speaks to the terminal, and nothing unseen', async () => {
    const evil = '\u001b[2J\u001b]0;x\u0007\u202e\u200b\r';
    const { cwd, cli } = placed({
      [packFile]: packText({
        description: 'fine \u202e\u001b[2J',
        files: ['lib/*'],
        hook: { matcher: { tools: ['\u202e*'] } },
      }),
      'lib/a.txt': 'a\n',
      [`lib/x\nAccept this? Type "yes": \u001b[8m`]: '',
    });
    const first = await cli('trust', '--yes');
    writeFileSync(path.join(cwd, 'lib/a.txt'), `a${evil}\n`);
    expect((await cli('trust')).stdout).toContain(String.raw`+ a\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{200b}\u{d}`);
    writeFileSync(path.join(cwd, packFile), `${evil}{`);
    for (const { stdout, stderr } of [
      first,
      await cli('trust'),
      await cli('run'),
      await cli('list'),
      await cli('trust', '--list'),
    ]) {
      expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/u);
      expect(`${stdout}${stderr}`).not.toMatch(/^Accept this/mu);
    }
  });

  test('that lines are missing, when there are too many', async () => {
    const { cwd, cli } = placed({ [packFile]: packText({ files: ['lib/*'] }), 'lib/a.txt': 'a\n' });
    await cli('trust', '--yes');
    writeFileSync(path.join(cwd, 'lib/a.txt'), 'b\n'.repeat(5_000));
    expect((await cli('trust')).stdout).toMatch(/^NOT SHOWN: \d+ more lines/mu);
  });
});

test('two at once: both end well, and one record is there', async () => {
  const { cli } = placed();
  const results = await Promise.all(Array.from({ length: 4 }, () => cli('trust', '--yes')));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(JSON.parse((await cli('trust', '--list', '--json')).stdout).projects).toMatchObject([{ state: 'unchanged' }]);
});

describe('on a terminal', () => {
  const terminal = program('script');

  /** Runs the command in a terminal of its own, typing the text. */
  async function typed({ top, cwd }: Place, text: string): Promise<string> {
    const line = `${process.execPath} ${bin} trust; echo "code $?"`;
    const env = { PATH: process.env['PATH'] ?? '', HOME: top, XDG_STATE_HOME: path.join(top, 'state'), NO_COLOR: '1' };
    const child = spawn(terminal.path, ['-qec', line, '/dev/null'], { cwd, env, stdio: 'pipe' });
    child.stdin.on('error', () => undefined);
    const ended = resultOf(child);
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const asked = !seen.includes('Type "yes"');
      seen += chunk.toString();
      if (asked && seen.includes('Type "yes"')) child.stdin.write(text);
    });
    return (await ended).stdout;
  }

  liveTest([linux, terminal], 'asks, and takes only a written yes for one', async () => {
    const place = placed();
    for (const text of ['\n', 'y\n', 'no\n', '\u0004'])
      expect([text, await typed(place, text)]).toEqual([text, expect.stringContaining('code 1')]);
    expect((await place.cli('run')).stdout).toContain('nobody accepted');
    expect(await typed(place, 'yes\n')).toContain('code 0');
    expect((await place.cli('trust')).stderr).toContain('unchanged');
  });

  liveTest([linux, terminal], 'a person may accept a line that runs what nobody can pin', async () => {
    const hooks = [{ id: 'h', event: 'tool:before', handler: { type: 'command', command: 'sh "$X"' } }];
    const place = placed({ [packFile]: JSON.stringify({ version: 1, name: 'guard', hooks }) });
    expect(await typed(place, 'no\n')).toContain('code 1');
    const accepted = await typed(place, 'yes\n');
    expect(accepted).toMatch(/is known only when it runs[\s\S]*accepted: 1 file\r?\n[\s\S]*code 0/u);
    expect(await place.cli('trust', '--yes')).toMatchObject({ code: 0, stderr: 'unchanged: 1 file, as accepted\n' });
  });

  liveTest(
    [linux, terminal, bubblewrap],
    'accepts what was shown, not what lies there when the answer comes',
    async () => {
      const place = placed();
      const answer = typed(place, 'yes\n');
      expect(await answer).toContain('code 0');
      mkdirSync(path.join(place.cwd, 'aside'));
      writeFileSync(path.join(place.cwd, 'check.sh'), 'swapped');
      expect((await place.cli('trust')).stdout).toContain('changed check.sh');
    },
  );
});
