import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { plant, scratchDirectory } from '../support/view.ts';
import { answerOf, event, root, runCli } from '../cli/cli.ts';

const envelope = (name = 'tool:before', data: object = { tool: 'write', input: { path: 'a.txt' } }): string =>
  JSON.stringify({
    version: 1,
    hook: { id: 'h', pack: 'p', event: name, attempt: 1, depth: 1, timeoutMs: 5000, data },
    context: {},
    redacted: [],
  });

/** A project whose packages are this one, as it is built. */
function project(files: Readonly<Record<string, string>>): string {
  const cwd = plant(scratchDirectory(), files);
  const place = path.join(cwd, 'node_modules/hookcell');
  mkdirSync(place, { recursive: true });
  for (const name of ['package.json', 'dist'])
    cpSync(path.join(root, name), path.join(place, name), { recursive: true });
  return cwd;
}

function run(body: string, { stdin = envelope(), env = { HOOKCELL_DEPTH: '1' }, main = 'hook.mjs' } = {}) {
  const cwd = project({
    'hook.mjs': `import { defineHook, matchGlob } from 'hookcell/hook';\n${body}`,
    'main.mjs': `import './hook.mjs';`,
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
    cwd,
    input: stdin,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

const allow = `({ decision: { action: 'allow' } })`;

describe('a program that defines a hook', () => {
  test.each([
    ['an answer', `defineHook('tool:before', () => ${allow})`],
    ['a promise of one', `defineHook('tool:before', async () => ${allow})`],
    ['one without the name of an event', `defineHook(() => ${allow})`],
    ['one beside a timer that goes on', `setInterval(() => {}, 1e6); defineHook('tool:before', () => ${allow})`],
  ])('prints %s, and nothing else', (_, body) => {
    expect(run(`export default ${body};`.replace('export default setInterval', 'setInterval'))).toEqual({
      status: 0,
      stdout: '{"decision":{"action":"allow"}}\n',
      stderr: '',
    });
  });

  test('sees the envelope', () => {
    const body = `defineHook('tool:before', ({ hook }) => ({ decision: { action: 'deny', reason: String(matchGlob('*.txt', hook.data.input.path)) } }));`;
    expect(run(body)).toMatchObject({ status: 0, stdout: '{"decision":{"action":"deny","reason":"true"}}\n' });
  });

  test.each([
    ['throws', `defineHook('tool:before', () => { throw new Error('broken'); })`, 'Error: broken'],
    ['rejects', `defineHook('tool:before', async () => { throw new Error('broken'); })`, 'Error: broken'],
    ['never settles', `defineHook('tool:before', () => new Promise(() => {}))`, 'nothing will settle'],
    ['returns nothing', `defineHook('tool:before', () => {})`, 'got nothing (undefined)'],
    [
      'returns what JSON changes',
      `defineHook(() => ({ decision: { action: 'deny', reason: NaN } }))`,
      'answer.decision.reason',
    ],
    ['returns an object of a class', `defineHook(() => new Map())`, 'an object of a class'],
    ['returns what holds itself', `defineHook(() => { const a = {}; a.a = a; return a; })`, 'answer.a'],
    ['is of another event', `defineHook('turn:stop', () => ${allow})`, 'expected the event "turn:stop"'],
    ['has no handler', `defineHook('tool:before')`, 'expected a handler'],
    ['is defined twice', `defineHook(() => ${allow}); defineHook(() => ${allow})`, 'one call in a program'],
  ])('that %s ends with exit code 1 and no answer', (_, body, message) => {
    const result = run(`${body};`);
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toContain(message);
  });

  test.each([
    ['no JSON', '{"version":'],
    ['no envelope', '{"version":1}'],
    ['bytes that are no text', '\u0000'],
    ['nothing', ''],
  ])('ends with exit code 1 when stdin holds %s', (_, stdin) => {
    expect(run(`defineHook(() => ${allow});`, { stdin })).toMatchObject({ status: 1, stdout: '' });
  });

  test('says how to try it when it is run by hand', () => {
    const result = run(`defineHook(() => ${allow});`, { env: { HOOKCELL_DEPTH: '' } });
    expect(result).toMatchObject({ status: 2, stdout: '' });
    expect(result.stderr).toContain('hookcell try --event event.json -- node hook.mjs');
  });

  test('does nothing when it is only imported, whoever runs', () => {
    expect(run(`export default defineHook(() => ${allow});`, { main: 'main.mjs' })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('answers with the whole package as well', () => {
    const cwd = project({ 'hook.mjs': `import { defineHook } from 'hookcell'; defineHook(() => ${allow});` });
    for (const name of ['zod', 'jsonc-parser']) {
      // What the package depends on lies beside it, as npm puts it.
      cpSync(path.join(root, 'node_modules', name), path.join(cwd, 'node_modules', name), { recursive: true });
    }
    const options = { cwd, input: envelope(), env: { HOOKCELL_DEPTH: '1' }, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['hook.mjs'], options);
    expect({ stdout, stderr }).toEqual({ stdout: '{"decision":{"action":"allow"}}\n', stderr: '' });
  });

  test('needs no other package by the entry of hooks: none is there', () => {
    expect(
      run(`import { existsSync } from 'node:fs';
      defineHook(() => ({ decision: { action: existsSync('node_modules/zod') ? 'deny' : 'allow' } }));`),
    ).toMatchObject({
      status: 0,
      stdout: '{"decision":{"action":"allow"}}\n',
    });
  });
});

liveTest([linux, bubblewrap], 'inside the wall it decides as any other command handler', async () => {
  const script = `import { defineHook } from 'hookcell/hook';
    export default defineHook('tool:before', ({ hook }) =>
      hook.data.tool === 'write' ? { decision: { action: 'deny', reason: 'typed' } } : { decision: { action: 'allow' } });`;
  const pack = {
    version: 1,
    name: 'typed',
    sandbox: { project: 'read' },
    hooks: [{ id: 'h', event: 'tool:before', handler: { type: 'command', command: ['node', 'check.mjs'] } }],
  };
  const cwd = project({ 'check.mjs': script, 'pack.json': JSON.stringify(pack) });
  const result = await runCli(['run', '--packs', 'pack.json'], { cwd, stdin: event });
  expect(answerOf(result).decision).toEqual({ action: 'deny', reason: 'typed' });
});
