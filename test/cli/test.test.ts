import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrap, liveTest } from '../support/capability.ts';
import { allow, bin, project, runCli, shellPack } from './cli.ts';

const data = { tool: 'write', input: { path: 'a.txt' } };

function vector(expected: object | undefined, rest: object = {}): string {
  return JSON.stringify({
    version: 1,
    event: { event: 'tool:before', data },
    packs: 'pack.json',
    expect: expected,
    ...rest,
  });
}

function projectOf(vectors: Readonly<Record<string, string>>, pack = shellPack(allow)): string {
  return project({ 'pack.json': pack, ...vectors });
}

const allowed = vector({ action: 'allow' }, { description: 'goes on' });
const denied = vector({ action: 'deny', reason: 'no' });

describe('hookcell test', () => {
  test('exits 0 when all pass, and says so', async () => {
    const result = await runCli(['test'], { cwd: projectOf({ 'a.vector.json': allowed }) });
    expect(result).toMatchObject({ code: 0, stderr: '1 vector: 1 passed\n' });
    expect(result.stdout).toMatch(/^✓ a\.vector\.json: goes on \d+ ms\n$/u);
  });

  test('many vectors side by side say nothing beside', async () => {
    const names = Array.from({ length: 24 }, (_, index) => [`${index}.vector.json`, allowed]);
    const result = await runCli(['test'], { cwd: projectOf(Object.fromEntries(names)) });
    expect(result).toMatchObject({ code: 0, stderr: '24 vectors: 24 passed\n' });
  });

  test('exits 1 when one does not, and says how', async () => {
    const cwd = projectOf({ 'a.vector.json': allowed, 'b.vector.json': denied, 'c.vector.json': vector({}) });
    const result = await runCli(['test'], { cwd });
    expect(result).toMatchObject({ code: 1, stderr: '3 vectors: 1 passed, 1 failed, 1 invalid\n' });
    expect(result.stdout).toContain('    action: expected deny, got allow\n    reason: expected "no", got none\n');
    expect(result.stdout).toContain('c.vector.json:1:');
    expect(result.stdout).toContain('expects nothing');
  });

  test('a broken hook passes for none that denies, and the message says what happened', async () => {
    const cwd = projectOf({ 'a.vector.json': vector({ action: 'deny' }) }, shellPack('exit 3'));
    const result = await runCli(['test'], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/test\/check: expected it to be asked, got nonzero_exit: /u);
  });

  test('--update writes what came, and the next run passes', async () => {
    const cwd = projectOf({ 'a.vector.json': vector({}) });
    expect(await runCli(['test', '--update'], { cwd })).toMatchObject({ code: 0, stderr: '1 vector: 1 updated\n' });
    const document: object = JSON.parse(readFileSync(path.join(cwd, 'a.vector.json'), 'utf8'));
    expect(document).toMatchObject({ expect: { action: 'allow', hooks: ['test/check'] } });
    expect(await runCli(['test'], { cwd })).toMatchObject({ code: 0 });
  });

  test('--json is one document', async () => {
    const cwd = projectOf({ 'a.vector.json': denied });
    const result = await runCli(['test', '--json'], { cwd });
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      version: 1,
      vectors: [{ file: 'a.vector.json', status: 'failed', differences: [{ what: 'action' }, { what: 'reason' }] }],
    });
  });

  test('--reporter junit and github are alone on stdout', async () => {
    const cwd = projectOf({ 'a.vector.json': allowed, 'b.vector.json': denied });
    const junit = await runCli(['test', '--reporter', 'junit'], { cwd });
    expect(junit.code).toBe(1);
    expect(junit.stdout).toMatch(
      /^<\?xml [^]*<testsuites name="hookcell" tests="2" failures="1" errors="0"[^]*<\/testsuites>\n$/u,
    );
    const github = await runCli(['test', '--reporter', 'github'], { cwd });
    expect(github.stdout).toMatch(/^::error file=b\.vector\.json,line=1,title=b\.vector\.json::action: [^\n]*\n$/u);
    expect(await runCli(['test', 'a.vector.json', '--reporter', 'github'], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('the kill switch turns no vector into a pass', async () => {
    const cwd = projectOf({ 'a.vector.json': vector({ action: 'allow' }) }, shellPack('exit 3'));
    expect(await runCli(['test'], { cwd, env: { HOOKCELL_HOOKS: 'off' } })).toMatchObject({ code: 1 });
  });

  liveTest(bubblewrap, 'no sandbox is no failure of the hooks: nothing is judged, and it exits 69', async () => {
    const cwd = projectOf({ 'a.vector.json': allowed, 'b.vector.json': denied });
    const around = ['--unshare-user', '--disable-userns', '--uid', '1000', '--gid', '1000', '--dev-bind', '/', '/'];
    const run = (...flags: string[]) =>
      spawnSync(bubblewrap.path, [...around, '--', process.execPath, bin, 'test', ...flags], { cwd, encoding: 'utf8' });
    const people = run();
    expect(people).toMatchObject({ status: 69, stderr: '2 vectors: 2 invalid\n' });
    expect(people.stdout).toContain(
      'not judged, since this says nothing of the hooks: test/check could not be asked: ',
    );
    const junit = run('--reporter', 'junit');
    expect(junit.status).toBe(69);
    expect(junit.stdout).toContain('failures="0" errors="2"');
    expect(run('--update').status).toBe(69);
    expect(readFileSync(path.join(cwd, 'a.vector.json'), 'utf8')).toBe(allowed);
  });

  test('what a vector asks for beyond the project, the flags must grant', async () => {
    const touch = `cat >/dev/null; touch out/x && echo '{"decision":{"action":"allow"}}'`;
    const pack: object = JSON.parse(shellPack(touch));
    const text = JSON.stringify({ ...pack, sandbox: { write: ['out'] } });
    const cwd = projectOf({ 'a.vector.json': vector({ action: 'allow' }, { options: { write: ['out'] } }) }, text);
    mkdirSync(path.join(cwd, 'out'));
    const refused = await runCli(['test'], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('asks for write out, which a vector cannot grant itself');
    const flag = /hookcell test (--write \S+)/u.exec(refused.stdout)?.[1] ?? '';
    expect(await runCli(['test', ...flag.split(' ')], { cwd })).toMatchObject({ code: 0 });
  });

  test('what the pack asks for and the vector does not: the message, followed, mends it', async () => {
    const outside = project({ 'list.txt': 'one' });
    const show = `cat >/dev/null; cat '${outside}/list.txt' >&2 && echo '{"decision":{"action":"allow"}}'`;
    const pack: object = JSON.parse(shellPack(show));
    const text = JSON.stringify({ ...pack, sandbox: { read: [outside], env: ['CI'], maxOutputBytes: 8_388_608 } });
    const cwd = projectOf({ 'a.vector.json': vector({ action: 'allow' }) }, text);
    const refused = await runCli(['test', '--read', outside], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stdout).not.toContain('to grant it: --read');
    const said = /write into the vector "options": (\{.*?\}) and call hookcell test (--read \S+)$/mu.exec(
      refused.stdout,
    );
    const options: object = JSON.parse(said?.[1] ?? '');
    expect(options).toEqual({ read: [outside], env: { CI: '…' }, maxOutputBytes: 8_388_608 });
    writeFileSync(path.join(cwd, 'a.vector.json'), vector({ action: 'allow' }, { options }));
    expect(await runCli(['test', ...(said?.[2] ?? '').split(' ')], { cwd })).toMatchObject({ code: 0 });
  });

  test("the operator's configuration is not read, as the help says", async () => {
    const outside = project({ 'list.txt': 'one' });
    const pack: object = JSON.parse(shellPack(allow));
    const text = JSON.stringify({ ...pack, sandbox: { read: [outside] } });
    const cwd = projectOf({ 'a.vector.json': vector({ action: 'allow' }) }, text);
    const config = project({});
    mkdirSync(path.join(config, 'hookcell'));
    writeFileSync(
      path.join(config, 'hookcell/config.json'),
      JSON.stringify({ version: 1, grant: { read: [outside] } }),
    );
    const env = { XDG_CONFIG_HOME: config };
    expect(await runCli(['list', '--packs', 'pack.json'], { cwd, env })).toMatchObject({ code: 0 });
    expect(await runCli(['test'], { cwd, env })).toMatchObject({ code: 1 });
    expect((await runCli(['test', '--help'])).stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'configuration (/etc/hookcell',
    );
  });

  test('a hostile reason cannot move the cursor or start a command', async () => {
    const reason = 'x\\u001b[2J\\n::error::injected';
    const says = `cat >/dev/null; printf '%s' '{"decision":{"action":"deny","reason":"${reason}"}}'`;
    const cwd = projectOf({ 'a.vector.json': allowed }, shellPack(says));
    for (const reporter of ['human', 'github', 'junit']) {
      const { stdout } = await runCli(['test', '--reporter', reporter], { cwd });
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(/^\s*::error::injected/mu);
    }
  });

  test.each([
    [['test', 'missing'], 65],
    [['test', 'pack.json', 'nothing'], 65],
    [['test', '--reporter', 'tap'], 64],
    [['test', '--json', '--reporter', 'junit'], 64],
  ])('%j exits %i', async (args, code) => {
    const cwd = projectOf({ 'a.vector.json': allowed });
    mkdirSync(path.join(cwd, 'nothing'));
    expect(await runCli(args, { cwd })).toMatchObject({ code });
  });

  test('no vectors are no pass', async () => {
    const result = await runCli(['test'], { cwd: projectOf({}) });
    expect(result.code).toBe(65);
    expect(result.stderr).toContain('hookcell init');
  });

  test('a directory of vectors finds its packs up the tree', async () => {
    const cwd = projectOf({});
    mkdirSync(path.join(cwd, 'packs'));
    mkdirSync(path.join(cwd, 'deep/vectors'), { recursive: true });
    writeFileSync(path.join(cwd, 'packs/p.json'), shellPack(allow));
    writeFileSync(path.join(cwd, 'deep/vectors/a.vector.json'), vector({ action: 'allow' }, { packs: undefined }));
    expect(await runCli(['test'], { cwd: path.join(cwd, 'deep/vectors') })).toMatchObject({ code: 0 });
  });
});
