import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerOf, project, runCli } from './cli.ts';
import { liveTest, program } from '../support/capability.ts';

const guards = ['tool:before', 'prompt:submit', 'run:start', 'permission:request', 'subagent:start'];

async function worksAtOnce(args: readonly string[]): Promise<void> {
  const cwd = project({});
  expect(await runCli(['init', ...args], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(await runCli(['validate'], { cwd })).toMatchObject({ code: 0, stderr: '1 file, 0 findings, 0 warnings\n' });
  const tested = await runCli(['test'], { cwd });
  expect(tested).toMatchObject({ code: 0, stderr: '2 vectors: 2 passed\n' });
  const stdin = readFileSync(path.join(cwd, '.hookcell/events/guard.json'), 'utf8');
  const denied = await runCli(['run', '--packs', '.hookcell/hooks'], { cwd, stdin });
  expect(denied.code).toBe(2);
  expect(answerOf(denied).decision.reason).toMatch(/written by people|for people/u);
}

describe('what init writes works at once', () => {
  test.each(guards)('node at %s', async (event) => worksAtOnce(['--event', event]));
  test.each(guards)('sh at %s', async (event) => worksAtOnce(['--language', 'sh', '--event', event]));
  liveTest(program('python3'), 'python', async () => {
    for (const event of guards) await worksAtOnce(['--language', 'python', '--event', event]);
  });

  test('under another name, in a directory that is made', async () => {
    const cwd = project({});
    const result = await runCli(['init', 'new/service', '--name', 'my.policy', '--json'], { cwd });
    expect(result.code).toBe(0);
    const { files }: { files: string[] } = JSON.parse(result.stdout);
    expect(files).toContain('new/service/.hookcell/hooks/my.policy.json');
    for (const file of files) expect(existsSync(path.join(cwd, file)), file).toBe(true);
    expect(await runCli(['test', 'new/service'], { cwd })).toMatchObject({ code: 0 });
  });
});

describe('inside of a project with packs', () => {
  test('init says so, since packs below accepted ones block', async () => {
    const cwd = project({});
    expect(await runCli(['init'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(['init', '--name', 'second'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const inner = await runCli(['init', 'src', '--json'], { cwd });
    expect(inner).toMatchObject({ code: 0, stderr: expect.stringContaining(`hookcell init ${cwd} --name NAME`) });
    const env = { XDG_STATE_HOME: path.join(project({}), 'state') };
    expect(await runCli(['trust', '--yes'], { cwd, env })).toMatchObject({ code: 0 });
    expect(await runCli(['list'], { cwd: path.join(cwd, 'src'), env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('found packs below the accepted project'),
    });
  });
});

describe('the shell script', () => {
  const sample = ['init', '--language', 'sh'];
  test.each([
    ['.env', 2],
    ['./.env', 2],
    ['a/../.env', 2],
    ['/srv/.env.production', 2],
    ['.env/x', 2],
    ['\\u002eenv', 2],
    ['src/env.ts', 0],
    ['src/.environment', 0],
  ])('%s exits %i', async (file, code) => {
    const cwd = project({});
    await runCli(sample, { cwd });
    const stdin = `{ "event": "tool:before", "data": { "tool": "write", "input": { "path": "${file}" } } }`;
    expect(await runCli(['run', '--packs', '.hookcell/hooks'], { cwd, stdin })).toMatchObject({ code });
  });
});

describe('init writes nothing', () => {
  test('over a file that is there, and nothing beside it', async () => {
    const cwd = project({});
    mkdirSync(path.join(cwd, '.hookcell/vectors'), { recursive: true });
    writeFileSync(path.join(cwd, '.hookcell/vectors/guard-deny.vector.json'), 'mine');
    const result = await runCli(['init'], { cwd });
    expect(result).toMatchObject({ code: 65, stdout: '' });
    expect(result.stderr).toContain('--name');
    expect(readFileSync(path.join(cwd, '.hookcell/vectors/guard-deny.vector.json'), 'utf8')).toBe('mine');
    expect(existsSync(path.join(cwd, '.hookcell/hooks'))).toBe(false);
  });

  test.each(['.hookcell', '.hookcell/scripts'])('through the link %s that leads out of the project', async (link) => {
    const outside = project({});
    const cwd = project({});
    mkdirSync(path.dirname(path.join(cwd, link)), { recursive: true });
    symlinkSync(outside, path.join(cwd, link));
    expect(await runCli(['init'], { cwd })).toMatchObject({ code: 65 });
    const found = readdirSync(outside, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(found).toEqual([]);
  });

  test('through a dangling link', async () => {
    const outside = project({});
    const cwd = project({});
    mkdirSync(path.join(cwd, '.hookcell/hooks'), { recursive: true });
    symlinkSync(path.join(outside, 'x.json'), path.join(cwd, '.hookcell/hooks/guard.json'));
    expect(await runCli(['init'], { cwd })).toMatchObject({ code: 65 });
    expect(readdirSync(outside)).toEqual([]);
  });

  test.each([
    [['--name', '../x'], '--name'],
    [['--name', '.x'], '--name'],
    [['--language', 'perl'], '--language'],
    [['--event', 'run:end'], 'tool:before'],
    [['--event', 'tool:befor'], 'tool:before'],
  ])('for %j', async (args, hint) => {
    const cwd = project({});
    const result = await runCli(['init', ...args], { cwd });
    expect(result).toMatchObject({ code: 64, stdout: '' });
    expect(result.stderr).toContain(hint);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
