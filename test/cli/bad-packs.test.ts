import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { linux, liveTest } from '../support/capability.ts';
import { allow, answerOf, event, project, runCli, shellPack } from './cli.ts';

const bad: readonly (readonly [string, string, RegExp])[] = [
  ['no JSON', '{"version":1,\n oops', /pack\.json:2:2: /u],
  ['an unknown key', '{"version":1,"name":"x","hooks":[],\n"sandbx":{}}', /pack\.json:2:1: .*sandbx/u],
  ['another version', '{"version":2,"name":"x","hooks":[]}', /pack\.json:1:\d+: .*1/u],
  ['a duplicate key', '{"version":1,"name":"x","name":"y","hooks":[]}', /pack\.json:1:\d+: /u],
  ['an unknown event', shellPack(allow, { event: 'PreToolUse' }), /pack\.json:1:\d+: .*tool:before/u],
  ['timeoutMs 0', shellPack(allow, {}, { timeoutMs: 0 }), /pack\.json:1:\d+: .*600000/u],
  ['timeoutMs as a string', shellPack(allow, {}, { timeoutMs: '5' }), /pack\.json:1:\d+: .*milliseconds/u],
  [
    'an inline secret',
    shellPack('curl -H "Authorization: Bearer ghp_012345678901234567890123456789abcdef"'),
    /pack\.json:1:\d+: /u,
  ],
];

test.each(bad)('run: a pack with %s blocks, with file, line and column', async (_, text, message) => {
  const cwd = project({ 'pack.json': text });
  const result = await runCli(['run', '--packs', 'pack.json'], { stdin: event, cwd });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(message);
  expect(result.stderr).not.toContain('ghp_0123');
  expect(answerOf(result).decision.action).toBe('deny');
});

test.each(bad)('validate: a pack with %s is a finding', async (_, text, message) => {
  const cwd = project({ 'pack.json': text });
  const result = await runCli(['validate', 'pack.json'], { cwd });
  expect(result.code).toBe(1);
  expect(result.stdout + result.stderr).toMatch(message);
  const json = await runCli(['validate', 'pack.json', '--json'], { cwd });
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    version: 1,
    findings: [expect.objectContaining({ file: expect.stringContaining('pack.json') })],
  });
});

test('of a project in place of its packs it is said where those are', async () => {
  const cwd = project({});
  mkdirSync(path.join(cwd, 'svc/.hookcell/hooks'), { recursive: true });
  writeFileSync(path.join(cwd, 'svc/.hookcell/hooks/pack.json'), shellPack(allow));
  const where = /\*\.json file in this directory; its packs are in \S*svc\/\.hookcell\/hooks/u;
  expect((await runCli(['validate', 'svc'], { cwd })).stderr).toMatch(where);
  expect((await runCli(['run', '--packs', 'svc'], { cwd, stdin: event })).stderr).toMatch(where);
});

test('a schema among the packs is told as one, and where to keep it', async () => {
  const schema = (await runCli(['schema', 'pack'])).stdout;
  const { code, stdout, stderr } = await runCli(['validate', 'pack.json'], { cwd: project({ 'pack.json': schema }) });
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(/pack\.json:\d+:\d+: this is a JSON Schema, not a pack; keep it outside/u);
});

test.each([
  ['a missing file', ['--packs', 'missing.json'], /missing\.json/u],
  ['an empty directory', ['--packs', '.'], /\*\.json/u],
  ['a missing agent', ['--packs', 'pack.txt', '--agent', 'agent.json'], /agent\.json/u],
])('run: %s blocks', async (_, args, message) => {
  const cwd = project({ 'pack.txt': shellPack(allow) });
  const result = await runCli(['run', ...args], { stdin: event, cwd });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(message);
});

test('run: packs that lie in the project and that nobody named do not run, and block', async () => {
  const result = await runCli(['run'], { stdin: event });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('--packs .hookcell/hooks');
});

test('validate exits 0 without findings, 65 when there is nothing to read', async () => {
  const cwd = project({ 'pack.json': shellPack(allow) });
  expect(await runCli(['validate', 'pack.json'], { cwd })).toMatchObject({ code: 0 });
  expect(await runCli(['validate', 'missing.json'], { cwd })).toMatchObject({ code: 65 });
  expect(await runCli(['validate'], { cwd })).toMatchObject({ code: 65 });
  expect(await runCli(['validate'])).toMatchObject({ code: 0 });
});

liveTest(linux, 'validate waits for no pipe and reads nothing that does not end', async () => {
  for (const target of ['/proc/self/pagemap', '/dev/zero', undefined]) {
    const cwd = project({});
    const file = path.join(cwd, 'pack.json');
    if (target === undefined) spawnSync('/usr/bin/mkfifo', [file]);
    else symlinkSync(target, file);
    const result = await runCli(['validate', '.'], { cwd });
    expect([target, result.code, result.stderr]).toEqual([target, 65, expect.stringContaining('cannot be read')]);
  }
});

test('validate names the program that is missing, before any event does', async () => {
  const pack = {
    version: 1,
    name: 'x',
    hooks: [{ id: 'a', event: 'tool:before', handler: { type: 'command', command: './missing.sh' } }],
  };
  const cwd = project({ 'pack.json': JSON.stringify(pack) });
  const result = await runCli(['validate', 'pack.json'], { cwd });
  expect(result.code).toBe(1);
  expect(result.stdout + result.stderr).toMatch(/pack\.json:1:\d+: .*missing\.sh/u);
});

test.each([
  ['../scripts/check.sh', './.hookcell/scripts/check.sh'],
  [['sh', '../scripts/check.sh'], './.hookcell/scripts/check.sh'],
  ['check.sh', './check.sh'],
])('a path that is meant from the pack, or lacks its ./, is told as it must be: %j', async (command, remedy) => {
  const cwd = project({ 'check.sh': '#!/bin/sh\n' });
  for (const directory of ['hooks', 'scripts']) mkdirSync(path.join(cwd, '.hookcell', directory), { recursive: true });
  writeFileSync(path.join(cwd, '.hookcell/scripts/check.sh'), '#!/bin/sh\n');
  writeFileSync(path.join(cwd, '.hookcell/hooks/test.json'), shellPack('', {}, { command }));
  const said = `paths start at the project's root, wherever the pack lies: write "${remedy}"`;
  expect(await runCli(['validate'], { cwd })).toMatchObject({ code: 1, stdout: expect.stringContaining(said) });
  const run = await runCli(['run', '--packs', '.hookcell/hooks'], { cwd, stdin: event });
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});
