import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { capabilitiesText, shortcomings } from '../../src/cli/report-capabilities.ts';
import { event, root, runCli } from './cli.ts';

describe('doctor and capabilities', () => {
  test('print the same document with --json', async () => {
    const doctor = await runCli(['doctor', '--json']);
    const capabilities = await runCli(['capabilities', '--json']);
    expect(capabilities.code).toBe(0);
    expect(doctor.stdout).toBe(capabilities.stdout);
    const document: { version: number; selected?: string; backends: unknown[] } = JSON.parse(doctor.stdout);
    expect(document.version).toBe(1);
    expect(document.backends.length).toBeGreaterThan(0);
    expect([0, 1, 69]).toContain(doctor.code);
    expect(doctor.code === 69).toBe(document.selected === undefined);
  });

  test('doctor says for people what is enforced', async () => {
    const { stdout } = await runCli(['doctor']);
    expect(stdout).toMatch(/bubblewrap/u);
    expect(stdout).toMatch(/cgroups: (?:v2|v1|hybrid|none)/u);
  });

  test('the last words and the exit code of doctor say the same', async () => {
    const { code, stdout } = await runCli(['doctor']);
    const said = [...stdout.matchAll(/^(?:Ready:|Ready, with weaker limits:|No sandbox:)/gmu)].map(([words]) => words);
    const expected: Record<string, string> = { 0: 'Ready:', 1: 'Ready, with weaker limits:', 69: 'No sandbox:' };
    expect(said).toEqual([expected[String(code)]]);
    expect(stdout.includes('doctor exits 1')).toBe(code === 1);
    expect((await runCli(['doctor', '--report'])).stdout).toContain(said[0]);
  });

  test.each([
    ['cgroup-v2', 'cgroup-v2', []],
    ['rlimit', 'cgroup-v1', [/^memory is bounded by rlimit: each process by itself, .*memoryMb is refused$/u]],
    ['cgroup-v1', 'none', [/^processes are not bounded, .*maxProcesses is refused$/u]],
    ['rlimit', 'rlimit', [/^memory is bounded by rlimit/u, /^processes are bounded by rlimit, not by a cgroup$/u]],
  ] as const)('memory %s and processes %s: what is weaker is said', (memory, processes, lines) => {
    const kinds = {
      filesystem: 'view',
      network: 'namespace+seccomp',
      kill: 'pid-namespace',
      syscalls: 'seccomp',
    } as const;
    const backends = [{ backend: 'bubblewrap', available: true, enforced: { ...kinds, memory, processes } }] as const;
    const machine = {
      version: 1,
      platform: 'linux',
      arch: 'x64',
      kernel: '6.1',
      node: 'v20',
      selected: 'bubblewrap',
    } as const;
    const capabilities = { ...machine, backends, cgroup: { layout: 'none', notes: [] } } as const;
    expect(shortcomings(capabilities)).toEqual(lines.map((line) => expect.stringMatching(line)));
    const text = capabilitiesText(capabilities, (_, words) => words);
    expect(text).toContain(lines.length === 0 ? 'Ready: hooks run' : 'Ready, with weaker limits: hooks run');
  });
});

describe('schema', () => {
  const names = readdirSync(path.join(root, 'schema')).map((file) => file.replace(/\.schema\.json$/u, ''));

  test('lists the names', async () => {
    const { code, stdout } = await runCli(['schema']);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toEqual(names.toSorted());
    expect(names).toContain('pack');
    expect(JSON.parse((await runCli(['schema', '--json'])).stdout)).toEqual({ version: 1, schemas: names.toSorted() });
  });

  test('prints one, byte for byte', async () => {
    const { code, stdout } = await runCli(['schema', 'pack']);
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(path.join(root, 'schema/pack.schema.json'), 'utf8'));
  });

  test.each([['../package'], ['pack.schema.json'], ['']])('%j is no name', async (name) => {
    expect(await runCli(['schema', name])).toMatchObject({ code: 64, stdout: '' });
  });
});

describe('environment', () => {
  const run = ['run', '--packs', '.hookcell/hooks/quality.json', '--json'];
  const denied = '{"event":"tool:before","data":{"tool":"write","input":{"path":".env"}}}';

  test('HOOKCELL_HOOKS=off turns hooks off, and says so', async () => {
    const result = await runCli(run, { stdin: denied, env: { HOOKCELL_HOOKS: 'off' } });
    expect(result.code).toBe(0);
    expect(result.stdout + result.stderr).toMatch(/kill switch/u);
  });

  test.each(['OFF', '0', 'false', 'of'])('HOOKCELL_HOOKS=%s is refused, not guessed', async (value) => {
    const result = await runCli(run, { stdin: event, env: { HOOKCELL_HOOKS: value } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('expected on or off');
  });

  test('HOOKCELL_DEPTH counts up to the bound', async () => {
    const result = await runCli(run, { stdin: event, env: { HOOKCELL_DEPTH: '7' } });
    expect(result.code).toBe(2);
    expect(result.stdout).toContain('recursion_limit');
    expect(await runCli(run, { stdin: event, env: { HOOKCELL_DEPTH: 'deep' } })).toMatchObject({ code: 2 });
  });

  test('colours: none in a pipe, FORCE_COLOR brings them', async () => {
    const plain = await runCli(['doctor']);
    const forced = await runCli(['doctor'], { env: { FORCE_COLOR: '1' } });
    const never = await runCli(['doctor'], { env: { NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b');
    expect(never.stdout).not.toContain('\u001b');
    expect(forced.stdout).toContain('\u001b[');
  });
});
