import { describe, expect, test } from 'vitest';
import { answerOf, event, project, runCli, shellPack } from './cli.ts';

function exec(line: string, flags: readonly string[] = []) {
  return runCli(['exec', ...flags, '--shell', '--', line], { stdin: event });
}

function tryLine(line: string, flags: readonly string[] = []) {
  return runCli(['try', '--event', 'event.json', '--no-trace', ...flags, '--shell', '--', line], {
    cwd: project({ 'event.json': event }),
  });
}

function tryPack(line: string, handler: object) {
  const cwd = project({ 'event.json': event, 'pack.json': shellPack(line, {}, handler) });
  return runCli(['try', 'test/check', '--packs', 'pack.json', '--event', 'event.json', '--no-trace'], { cwd });
}

/** What only a pack can say. */
const packWords = /in the pack|"decide"|"onEmpty"|timeoutMs|memoryMb|maxProcesses/u;

describe('exec, which has no pack', () => {
  test.each([
    ['sleep 60', '--timeout-ms', ['--timeout-ms', '300']],
    ['exit 1', '--decide exit-code', []],
    ['grep -q write', '--decide exit-code', []],
    ['cat >/dev/null', '--on-empty no-opinion', []],
  ])('is not sent to one by %s', async (line, flag, flags) => {
    const { code, stdout } = await exec(line, flags);
    expect(code).toBe(2);
    expect(stdout).toContain(flag);
    expect(stdout).not.toMatch(packWords);
  });

  test('denies by exit code 2 with what stderr says, and keeps the cause', async () => {
    const result = await exec('cat >/dev/null; echo nope >&2; exit 2');
    expect(result.code).toBe(2);
    expect(answerOf(result).decision).toEqual({ action: 'deny', reason: 'nope' });
    expect(result.stderr).toContain('cause nonzero_exit');
  });
});

describe('try advises what was not done yet', () => {
  test.each([3, 127])('of exit code %i beside --decide exit-code', async (code) => {
    const { stdout } = await tryLine(`exit ${code}`, ['--decide', 'exit-code']);
    expect(stdout).toContain('failed: nonzero_exit');
    expect(stdout).not.toMatch(/For checks without JSON|printing the answer|stderr is above|--decide/u);
  });

  test('of exit code 3 of a pack that has "decide": "exit-code"', async () => {
    const { stdout } = await tryPack('exit 3', { decide: 'exit-code' });
    expect(stdout).toContain('Exit 0 to allow and 1 to deny');
    expect(stdout).not.toMatch(/For checks without JSON|printing the answer|stderr is above/u);
  });

  test('and points at stderr only where there is some', async () => {
    expect((await tryLine('exit 3')).stdout).not.toContain('stderr is above');
    expect((await tryLine('echo broken >&2; exit 3')).stdout).toContain('stderr is above');
  });

  test('of exit code 3 without "decide" the other way to answer', async () => {
    expect((await tryPack('exit 3', {})).stdout).toContain('For checks without JSON use "decide": "exit-code".');
  });
});

describe('try of a program without -- says where it goes', () => {
  const files = { 'event.json': event, 'good.sh': '#!/bin/sh\nexit 0\n', 'pack.json': shellPack('true') };
  const packs = ['--packs', 'pack.json'];
  test.each([
    [['./good.sh'], 64, '-- ./good.sh'],
    [['./good.sh', 'a b'], 64, "-- ./good.sh 'a b'"],
    [['./good.sh', ...packs], 64, '-- ./good.sh'],
    [['../none.sh'], 64, '-- ../none.sh'],
    [['good.sh'], 65, '-- good.sh'],
    [['good.sh', ...packs], 65, '-- good.sh'],
  ])('%j', async (words, code, remedy) => {
    const result = await runCli(['try', ...words, '--event', 'event.json'], { cwd: project(files) });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(`after --: ${remedy}\n`);
  });

  test('and nothing of programs of a hook that is not there', async () => {
    const { stderr } = await runCli(['try', 'a/b', ...packs, '--event', 'event.json'], { cwd: project(files) });
    expect(stderr).toContain('there is no hook a/b');
    expect(stderr).not.toContain('--:');
  });
});
