import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allow, event, project, resultOf, runCli, shellPack, startCli } from './cli.ts';
import { liveTest, program } from '../support/capability.ts';

const strace = program('strace');
const files = { 'event.json': event, 'pack.json': shellPack(allow) };
const onPack = ['try', 'test/check', '--packs', 'pack.json', '--event', 'event.json'];

/** The advice when the operator's half is there. */
function ask(key: string, value: unknown): string {
  return `it is granted; the pack has to ask for it, in its "sandbox": "${key}": ${JSON.stringify(value)}`;
}

/** `try` on a shell line without a pack. */
function tryLine(cwd: string, line: string, flags: readonly string[] = []) {
  return runCli(['try', '--event', 'event.json', ...flags, '--shell', '--', line], { cwd });
}

describe('a trial shows', () => {
  test('the envelope, the answer, the outcome, the times, the bytes and the wall', async () => {
    const { code, stdout, stderr } = await runCli(onPack, { cwd: project(files) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('test/check tool:before');
    expect(stdout).toContain('    "event": "tool:before"');
    expect(stdout).toContain('{"decision":{"action":"allow"}}');
    expect(stdout).toMatch(/^outcome {2}allow$/mu);
    expect(stdout).toMatch(/^event {4}allowed$/mu);
    expect(stdout).toMatch(/^time {5}queue \d+\.\d ms, launch \d+\.\d ms, run \d+\.\d ms, drain \d+\.\d ms/mu);
    expect(stdout).toMatch(/^bytes {4}stdin [1-9]\d* \(0 of them not read by the hook\), stdout 32/mu);
    expect(stdout).toMatch(/^wall {5}bubblewrap: filesystem view/mu);
  });

  test('redactions, marked, and never what they stand for', async () => {
    const secret = 'correct-horse-battery';
    const text = JSON.stringify({ event: 'tool:before', data: { tool: 'write', input: { password: secret } } });
    const { stdout } = await tryLine(project({ 'event.json': text }), allow);
    expect(stdout).toMatch(/"password": "\[REDACTED:password#/u);
    expect(stdout).toContain('redacted /hook/data/input/password: password');
    expect(stdout).not.toContain(secret);
    const forced = await runCli(['try', '--event', 'event.json', '--', '/bin/true'], {
      cwd: project({ 'event.json': text }),
      env: { FORCE_COLOR: '1' },
    });
    expect(forced.stdout).toMatch(/"\u001b\[33m\[REDACTED:password#[^\]]+\]\u001b\[39m"/u);
  });

  test('a failure with its cause, its remedy, and what it means for the event', async () => {
    const { code, stdout } = await tryLine(project(files), 'echo broken >&2; exit 3');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^outcome {2}failed: nonzero_exit: .*exit code 3/mu);
    expect(stdout).toMatch(/^event {4}denied: the hook could not be asked$/mu);
    expect(stdout).toMatch(/stderr, 7 bytes\n {2}broken/u);
  });

  test('a grant that is missing, and no advice to accept what is taken as it is', async () => {
    const outside = project({});
    const pack: object = JSON.parse(shellPack(allow));
    const text = JSON.stringify({ ...pack, sandbox: { read: [outside] } });
    const { code, stdout } = await runCli(onPack, { cwd: project({ ...files, 'pack.json': text }) });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^outcome {2}failed: untrusted: .*to grant it: --read \S+/mu);
    expect(stdout).not.toContain('hookcell trust');
  });

  test.each([
    ['./missing.py', 'launch_failed', 'Check the path'],
    ['/usr/bin/false', 'nonzero_exit', '--decide exit-code'],
  ])('of the program %s without a pack no remedy for packs', async (name, cause, remedy) => {
    const { stdout } = await runCli(['try', '--event', 'event.json', '--', name], { cwd: project(files) });
    expect(stdout).toMatch(new RegExp(`^outcome {2}failed: ${cause}`, 'mu'));
    expect(stdout).toContain(remedy);
    expect(stdout).not.toMatch(/hookcell validate|hookcell try/u);
  });

  test('where HOME is, to who looked there for a file of their own', async () => {
    const cwd = project(files);
    const looked = await tryLine(cwd, 'cat ~/list.txt');
    expect(looked.stdout).toMatch(/^HOME {5}is \/home\/hook in the sandbox, private and empty: /mu);
    expect((await tryLine(cwd, 'cat list.txt')).stdout).not.toMatch(/^HOME/mu);
    expect((await tryLine(cwd, `cat ~/list.txt; ${allow}`)).stdout).not.toMatch(/^HOME/mu);
  });

  test('nothing that a terminal obeys, whatever the hook prints', async () => {
    const line = String.raw`printf '\033[2J\033]0;title\007{"decision":{"action":"deny","reason":"\\u001b[31mred\\u202e"}}'; printf '\033[2J' >&2; cat "$(printf '/etc/a\n\033[2Jb')"`;
    const { stdout, stderr } = await tryLine(project(files), line);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e\u0007]/u);
  });

  test('data that the hook replaced', async () => {
    const line = `echo '{"decision":{"action":"modify","data":{"input":{"path":"b.txt"}}}}'`;
    const { stdout } = await tryLine(project(files), line);
    expect(stdout).toMatch(/^event {4}allowed, modified$/mu);
    expect(stdout).toContain('"path": "b.txt"');
  });

  test('an observing hook, which changes nothing', async () => {
    const cwd = project({ ...files, 'pack.json': shellPack(allow, { mode: 'observe' }) });
    const { code, stdout } = await runCli(onPack, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^event {4}goes on: the hook only watches$/mu);
  });

  test('why the event is not for the hook, and runs nothing then', async () => {
    const cwd = project({ ...files, 'pack.json': shellPack('touch ran', { matcher: { tools: ['edit'] } }) });
    const { code, stdout } = await runCli(onPack, { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/not asked: tool "write" is none of edit/u);
    expect(stdout).not.toContain('envelope');
  });

  test('everything as one line of JSON', async () => {
    const { code, stdout } = await runCli([...onPack, '--json', '--no-trace'], { cwd: project(files) });
    expect(code).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    const trial: object = JSON.parse(stdout);
    expect(trial).toMatchObject({
      version: 1,
      hook: { hook: { pack: 'test', id: 'check' } },
      verdict: { decision: { action: 'allow' }, outcomes: [{ status: 'answered' }] },
      answer: '{"decision":{"action":"allow"}}\n',
      timings: { launchMs: expect.any(Number), runMs: expect.any(Number), drainMs: expect.any(Number) },
    });
    expect(trial).not.toHaveProperty('trace');
  });
});

describe('what the wall refused', () => {
  liveTest(strace, 'with the flag that grants it, and what the pack has to ask for', async () => {
    const outside = path.join(project({ 'list.txt': 'x' }), 'list.txt');
    const line = `cat ${outside} > /dev/null; ${allow}`;
    const cwd = project({ ...files, 'pack.json': shellPack(line) });
    const { stdout } = await runCli(onPack, { cwd });
    expect(stdout).toContain(`✗ read ${outside}`);
    expect(stdout).toContain(`to grant it: --read ${outside}`);
    expect(stdout).toContain(`in its "sandbox": "read": ["${outside}"]`);

    const pack: { sandbox?: object } = JSON.parse(shellPack(line));
    writeFileSync(path.join(cwd, 'pack.json'), JSON.stringify({ ...pack, sandbox: { read: [outside] } }));
    const granted = await runCli([...onPack, '--read', outside], { cwd });
    expect(granted.stdout).toMatch(/^refused {2}nothing$/mu);
  });

  liveTest(strace, 'and of what is granted already only what the pack still lacks', async () => {
    const outside = path.join(project({ 'list.txt': 'x' }), 'list.txt');
    const line = `cat ${outside} > /dev/null; perl -e 'use Socket; socket(S, AF_INET, SOCK_STREAM, 0)'; ${allow}`;
    const cwd = project({ ...files, 'pack.json': shellPack(line) });
    const flags = ['--read', path.dirname(outside), '--network', 'host'];
    const byFlag = await runCli([...onPack, ...flags], { cwd });
    expect(byFlag.stdout).toContain(ask('read', [outside]));
    expect(byFlag.stdout).toContain(ask('network', 'host'));
    expect(byFlag.stdout).not.toContain('to grant it');
    const config = project({});
    mkdirSync(path.join(config, 'hookcell'));
    const grant = { read: [outside], network: 'host' };
    writeFileSync(path.join(config, 'hookcell/config.json'), JSON.stringify({ version: 1, grant }));
    const byFile = await runCli(onPack, { cwd, env: { XDG_CONFIG_HOME: config } });
    expect(byFile.stdout).toContain(ask('read', [outside]));
    expect(byFile.stdout).not.toContain('to grant it');
  });

  liveTest(strace, 'and what lies in the project is named from there: a pack is shared', async () => {
    const cwd = project({ ...files, 'pack.json': shellPack(`echo > audit/log; ${allow}`) });
    mkdirSync(path.join(cwd, 'audit'));
    const { stdout } = await runCli(onPack, { cwd });
    expect(stdout).toContain(`to grant it: --write ${cwd}/audit`);
    expect(stdout).toContain('in its "sandbox": "write": ["audit"]');
  });

  liveTest(strace, 'of a link to what is shown: the path that is shown, for no grant shows the link', async () => {
    const target = project({ 'list.txt': 'x' });
    const link = path.join(project({}), 'link');
    symlinkSync(target, link);
    const { stdout } = await tryLine(project(files), `cat ${link}/list.txt; ${allow}`, ['--read', link]);
    expect(stdout).toContain(`✗ read ${link}/list.txt: it is reached through a symbolic link`);
    expect(stdout).toContain(`name ${target}/list.txt, which it shows`);
    expect(stdout).not.toMatch(/grant/u);
  });

  liveTest(strace, 'of a file to be made: that its directory is not there, and not that the file exists', async () => {
    const outside = project({});
    const { stdout } = await tryLine(project(files), `echo > ${outside}/new; ${allow}`);
    expect(stdout).toContain(`✗ create ${outside}/new: its directory exists on this machine`);
    expect(stdout).toContain(`to grant it: --write ${outside}`);
  });

  liveTest(strace, 'but never with a grant of all of /var, nor of the passwords of this machine', async () => {
    const { stdout } = await tryLine(project(files), `echo > /var/hookcell-new; cat /etc/shadow; ${allow}`);
    expect(stdout).toContain('✗ create /var/hookcell-new');
    expect(stdout).toContain('✗ read /etc/shadow');
    expect(stdout).not.toContain('to grant it');
  });

  liveTest(strace, 'before the remedy of an exit code that came of it', async () => {
    const outside = path.join(project({ 'list.txt': 'x' }), 'list.txt');
    const { stdout } = await tryLine(project(files), `cat ${outside} || exit 3`);
    expect(stdout).toMatch(/failed: nonzero_exit[^\n]*\n {2}Look first at what the sandbox refused, below\.$/mu);
  });

  liveTest(strace, 'by a grant alone for a program without a pack', async () => {
    const outside = path.join(project({ 'a list.txt': 'x' }), 'a list.txt');
    const cwd = project(files);
    const line = `cat '${outside}' > /dev/null; ${allow}`;
    expect((await tryLine(cwd, line)).stdout).toContain(`to grant it: --read '${outside}'`);
    expect((await tryLine(cwd, line, ['--read', outside])).stdout).toMatch(/^refused {2}nothing$/mu);
  });

  liveTest(strace, 'programs, the network, and writing', async () => {
    const line = `nosuchtool; perl -e 'use Socket; socket(S, AF_INET, SOCK_STREAM, 0)'; echo > sub/x; ${allow}`;
    const cwd = project(files);
    mkdirSync(path.join(cwd, 'sub'));
    const { stdout } = await tryLine(cwd, line);
    expect(stdout).toContain('✗ program nosuchtool: no directory of the sandbox’s PATH holds it');
    expect(stdout).toMatch(/✗ socket AF_INET: it has no network\n\s+to grant it: --network host/u);
    expect(stdout).toContain(`to grant it: --write ${cwd}/sub`);
  });

  test('is not looked for without the wall, and that is said', async () => {
    const { stdout } = await tryLine(project(files), allow, ['--backend', 'none']);
    expect(stdout).toMatch(/^refused {2}unknown: there is no wall/mu);
    expect(stdout).toMatch(/^outcome {2}allow$/mu);
  });
});

describe('which hook', () => {
  test('packs of the project are found, from below as well, and taken as they are', async () => {
    const cwd = project({ 'event.json': event });
    mkdirSync(path.join(cwd, '.hookcell/hooks'), { recursive: true });
    mkdirSync(path.join(cwd, 'sub'));
    writeFileSync(path.join(cwd, '.hookcell/hooks/pack.json'), shellPack(allow));
    const result = await runCli(['try', 'check', '--event', '../event.json'], { cwd: path.join(cwd, 'sub') });
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    [['try', 'check', '--packs', 'pack.json', '--event', 'event.json'], 0, ''],
    [['try', 'none', '--packs', 'pack.json', '--event', 'event.json'], 65, 'there are: test/check'],
    [['try', 'check', '--event', 'event.json'], 65, 'hookcell init'],
    [['try', 'check', '--packs', 'pack.json', '--event', 'missing.json'], 65, 'missing.json'],
    [['try', 'check', '--packs', 'pack.json', '--event', 'pack.json'], 65, 'pack.json'],
    [['try', 'check', '--packs', 'pack.json'], 64, '--event'],
    [['try', '--packs', 'pack.json', '--event', 'event.json'], 64, 'HOOK'],
    [['try', 'a', 'b', '--packs', 'pack.json', '--event', 'event.json'], 64, 'HOOK'],
    [['try', '--event', 'event.json', '--'], 64, '--'],
    [['try', 'check', '--shell', '--packs', 'pack.json', '--event', 'event.json'], 64, '--shell'],
    [['try', 'check', '--watch', '--event', '-'], 64, '--watch'],
  ])('%j exits %i', async (args, code, hint) => {
    const result = await runCli(args, { cwd: project(files) });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(hint);
  });

  test('of bare data it is said how to write an event: --event is a file here', async () => {
    const bare = await runCli(onPack, { cwd: project({ ...files, 'event.json': '{ "tool": "write" }' }) });
    expect(bare.code).toBe(65);
    expect(bare.stderr).toContain('around bare data write {"event": NAME, "data": …}');
    expect(bare.stderr).not.toContain('--event');
  });

  test('an id of several packs is not guessed', async () => {
    const other = shellPack(allow).replace('"test"', '"other"');
    const cwd = project({ ...files, 'other.json': other });
    const result = await runCli([...onPack.with(1, 'check'), '--packs', 'other.json'], { cwd });
    expect(result).toMatchObject({ code: 65, stdout: '' });
    expect(result.stderr).toContain('test/check, other/check');
  });

  test('the event may come on stdin', async () => {
    const result = await runCli([...onPack.slice(0, -1), '-'], { cwd: project(files), stdin: event });
    expect(result.code).toBe(0);
  });
});

/** Changes something while `try --watch` waits, and expects its next words. */
async function watched(change: (cwd: string) => void, expected: RegExp): Promise<void> {
  const cwd = project({
    ...files,
    'hook.sh': `#!/bin/sh\n${allow}\n`,
    'pack.json': shellPack('', {}, { command: './hook.sh' }),
  });
  const child = startCli([...onPack, '--watch', '--no-trace'], { cwd });
  const ended = resultOf(child);
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await expect.poll(() => out, { timeout: 20_000 }).toMatch(/outcome {2}allow[\s\S]*watching/u);
  change(cwd);
  await expect.poll(() => out, { timeout: 20_000 }).toMatch(expected);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
}

describe('--watch', () => {
  const deny = `#!/bin/sh\necho '{"decision":{"action":"deny","reason":"changed"}}'\n`;

  test('runs again when the script is saved in place', async () => {
    await watched((cwd) => writeFileSync(path.join(cwd, 'hook.sh'), deny), /outcome {2}deny: changed[\s\S]*watching/u);
  });

  test('runs again when an editor puts a new file in its place', async () => {
    await watched((cwd) => {
      writeFileSync(path.join(cwd, 'hook.sh.swp'), deny, { mode: 0o755 });
      renameSync(path.join(cwd, 'hook.sh.swp'), path.join(cwd, 'hook.sh'));
    }, /outcome {2}deny: changed/u);
  });

  test('runs again when the event is saved', async () => {
    const other = JSON.stringify({ event: 'tool:before', data: { tool: 'write', input: { path: 'other.txt' } } });
    await watched(
      (cwd) => writeFileSync(path.join(cwd, 'event.json'), other),
      /"path": "other.txt"[\s\S]*outcome {2}allow/u,
    );
  });

  test('says what is wrong with a pack that is half written, and goes on when it is whole', async () => {
    await watched((cwd) => {
      writeFileSync(path.join(cwd, 'pack.json'), '{ "version": 1,');
      setTimeout(() => writeFileSync(path.join(cwd, 'pack.json'), shellPack(deny.replace('#!/bin/sh\n', ''))), 3_000);
    }, /pack\.json:1:\d+: [\s\S]*outcome {2}deny: changed/u);
  });
});
