import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
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
