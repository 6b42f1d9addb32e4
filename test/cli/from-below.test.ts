import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectory } from '../support/view.ts';
import { answerOf, runCli } from './cli.ts';

/** A project as `init` makes it, seen from a directory in it. */
async function below(): Promise<{ readonly root: string; readonly cwd: string; readonly env: Record<string, string> }> {
  const top = scratchDirectory();
  const root = path.join(top, 'door');
  const cwd = path.join(root, 'src', 'deep');
  mkdirSync(cwd, { recursive: true });
  expect(await runCli(['init'], { cwd: root })).toMatchObject({ code: 0 });
  return { root, cwd, env: { XDG_CONFIG_HOME: path.join(top, 'config'), XDG_STATE_HOME: path.join(top, 'state') } };
}

describe('from a directory inside the project', () => {
  test('the remedy for packs that nobody accepted does what it says', async () => {
    const { root, cwd, env } = await below();
    const stdin = readFileSync(path.join(root, '.hookcell/events/guard.json'), 'utf8');
    const { reason = '' } = answerOf(await runCli(['run'], { cwd, env, stdin })).decision;
    const [, up = '', packs = ''] = /name them for once in \S+ \(cd (\S+)\): --packs (\S+)/u.exec(reason) ?? [];
    expect(path.resolve(cwd, up)).toBe(root);
    const followed = await runCli(['run', '--packs', packs], { cwd: path.resolve(cwd, up), env, stdin });
    expect(answerOf(followed).decision.reason).toContain('environment files are written by people');
  });

  test('packs that are named run in this directory, which is said instead of "create it"', async () => {
    const { root, cwd, env } = await below();
    const stdin = readFileSync(path.join(root, '.hookcell/events/guard.json'), 'utf8');
    const said = `its paths start in ${cwd}, but the pack lies in the project ${root}: call hookcell there (cd ${root}`;
    const run = await runCli(['run', '--packs', '../../.hookcell/hooks'], { cwd, env, stdin });
    expect(answerOf(run).decision.reason).toContain(said);
    expect(run.stdout).not.toContain('create it');
    const list = await runCli(['list', '--packs', '../../.hookcell/hooks'], { cwd, env });
    expect(list).toMatchObject({ code: 1, stdout: expect.stringContaining(said) });
  });

  test('validate finds the packs above, and their scripts where they lie', async () => {
    const { root, cwd, env } = await below();
    const whole = await runCli(['validate', '--json'], { cwd, env });
    expect(whole.code).toBe(0);
    expect(JSON.parse(whole.stdout)).toMatchObject({ files: ['../../.hookcell/hooks/guard.json'], findings: [] });
    expect(await runCli(['validate', '../../.hookcell/hooks'], { cwd, env })).toMatchObject({ code: 0 });
    rmSync(path.join(root, '.hookcell/scripts/guard.mjs'));
    const broken = await runCli(['validate'], { cwd, env });
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining(`${root}/.hookcell/scripts/guard.mjs`) });
  });

  test('test runs the vectors of the project, of this directory where it has some, and none that lie elsewhere in it', async () => {
    const { root, cwd, env } = await below();
    const above = await runCli(['test', '--json'], { cwd, env });
    expect(above.code).toBe(0);
    const files = ['../../.hookcell/vectors/guard-allow.vector.json', '../../.hookcell/vectors/guard-deny.vector.json'];
    expect(JSON.parse(above.stdout)).toMatchObject({ vectors: files.map((file) => ({ file, status: 'passed' })) });
    expect(await runCli(['init', '--name', 'own'], { cwd })).toMatchObject({ code: 0 });
    const own = await runCli(['test', '--json'], { cwd, env });
    expect(own.code).toBe(0);
    expect(own.stdout).not.toContain('guard-allow');
    const other = path.join(root, 'other');
    mkdirSync(other);
    expect(await runCli(['init', '--name', 'stranger'], { cwd: other })).toMatchObject({ code: 0 });
    const sibling = path.join(root, 'docs');
    mkdirSync(sibling);
    const again = await runCli(['test', '--json'], { cwd: sibling, env });
    expect(again.stdout).toContain('guard-allow');
    expect(again.stdout).not.toContain('stranger');
    const nowhere = scratchDirectory();
    expect(await runCli(['test'], { cwd: nowhere, env })).toMatchObject({ code: 65 });
    expect(await runCli(['validate'], { cwd: nowhere, env })).toMatchObject({ code: 65 });
  });
});
