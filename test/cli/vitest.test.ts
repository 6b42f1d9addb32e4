import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { project, root, runCli } from './cli.ts';

/** The example of the guide: what people copy must run. */
const guide = readFileSync(path.join(root, 'docs/testing-hooks.md'), 'utf8');
const example = /```ts\n(import \{ afterAll[^]*?)```/u.exec(guide)?.[1] ?? '';

/** A project with hooks that links the built package, and its own vitest run. */
async function vitestRun(spoil: (cwd: string) => void = () => undefined) {
  const cwd = project({ 'package.json': '{"type":"module"}', 'hooks.test.ts': example });
  mkdirSync(path.join(cwd, 'node_modules'));
  symlinkSync(root, path.join(cwd, 'node_modules/hookcell'));
  symlinkSync(path.join(root, 'node_modules/vitest'), path.join(cwd, 'node_modules/vitest'));
  await runCli(['init'], { cwd });
  spoil(cwd);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { PATH = '', HOME = '/' } = process.env;
  return spawnSync(process.execPath, [vitest, 'run', '--root', cwd, '--reporter', 'json'], {
    cwd,
    env: { PATH, HOME, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 50_000,
  });
}

describe('the example of docs/testing-hooks.md', () => {
  test('runs under vitest, a test a vector', async () => {
    const { status, stdout, stderr } = await vitestRun();
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const vectors = ['allow', 'deny'].map((name) => ({
      title: `.hookcell/vectors/guard-${name}.vector.json`,
      status: 'passed',
    }));
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 2, testResults: [{ assertionResults: vectors }] });
  });

  test('fails with the difference as its message', async () => {
    const { status, stdout, stderr } = await vitestRun((cwd) => {
      const file = path.join(cwd, '.hookcell/vectors/guard-deny.vector.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"deny"', '"ask"'));
    });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('action: expected ask, got deny');
  });
});
