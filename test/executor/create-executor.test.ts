import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  assertAllowed,
  createExecutor,
  defineEvent,
  HookcellError,
  HookDeniedError,
  stringifyVerdict,
  verdictToJson,
} from '../../src/index.ts';
import type { EventInput } from '../../src/index.ts';
import { JsonNumber } from '../../src/protocol/index.ts';
import { linux, liveTest } from '../support/capability.ts';
import { executorOf, hookOf, packOf, toolEvent } from '../support/executor.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const base = { installationKey: new Uint8Array(32), sandbox: { backend: 'none' } } as const;
const sayAllow = '#!/bin/sh\necho \'{"decision":{"action":"allow"}}\'\n';
const pack = (name: string, hooks: readonly unknown[] = [hookOf('allow.sh')], rest: object = {}): string =>
  JSON.stringify({ version: 1, name, hooks, ...rest });

/** What the types would not let through, as plain JavaScript does. */
function asEvent(value: object): EventInput {
  const isEvent = (given: object): given is EventInput => given === value;
  if (!isEvent(value)) throw new Error('unreachable');
  return value;
}

/** The error of a creation that must fail; an executor that came out all the same is closed. */
async function refusal(options: object): Promise<HookcellError> {
  try {
    const executor = await createExecutor(options);
    await executor.close();
  } catch (error) {
    if (error instanceof HookcellError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('options', () => {
  test.each<[string, object]>([
    ['/pack', { pack: 'x' }],
    ['/sandbox/networks', { sandbox: { networks: 'host' } }],
    ['/sandbox/limits/timeoutMs', { sandbox: { limits: { timeoutMs: 0 } } }],
    ['/sandbox/limits/timeoutMs', { sandbox: { limits: { timeoutMs: 600_001 } } }],
    ['/sandbox/limits/timeoutMs', { sandbox: { limits: { timeoutMs: '5' } } }],
    ['/sandbox/env/LD_PRELOAD', { sandbox: { env: { LD_PRELOAD: 'x' } } }],
    ['/limits/maxDepth', { limits: { maxDepth: 9 } }],
    ['/concurrency', { concurrency: 257 }],
    ['/logger', { logger: {} }],
    ['/installationKey', { installationKey: new Uint8Array(4) }],
    ['/projectRoot', { projectRoot: '/not/there' }],
    ['/sandbox/read/0', { sandbox: { read: ['/not/there'] } }],
  ])('a mistake at %s is found', async (pointer, options) => {
    const error = await refusal({ ...base, packs: packOf([]), ...options });
    expect(error.code).toBe('invalid_options');
    expect(error.findings.map((finding) => finding.pointer)).toContain(pointer);
  });
});

describe('packs', () => {
  test('are read from files and directories, in the order given', async () => {
    const root = plant(scratchDirectory(), {
      'allow.sh': sayAllow,
      'hooks/b.json': pack('b'),
      'hooks/a.json': pack('a'),
      'hooks/notes.txt': 'no pack',
      'more.json': pack('c'),
    });
    const executor = await createExecutor({ ...base, projectRoot: root, packs: ['more.json', 'hooks'] });
    const verdict = await executor.dispatch(toolEvent());
    await executor.close();
    expect(verdict.outcomes.map(({ hook, status }) => [hook.pack, status])).toEqual([
      ['c', 'answered'],
      ['a', 'answered'],
      ['b', 'answered'],
    ]);
  });

  test('every finding of every file comes at once', async () => {
    const root = plant(scratchDirectory(), {
      'hooks/a.json': pack('a', [], { extra: 1 }),
      'hooks/b.json': '{',
      'hooks/c.json': pack('c'),
      'hooks/d.json': pack('c'),
    });
    const error = await refusal({ ...base, projectRoot: root, packs: ['hooks', 'missing.json'] });
    expect(error.code).toBe('invalid_pack');
    expect(new Set(error.findings.map(({ file }) => file?.slice(root.length)))).toEqual(
      new Set(['/hooks/a.json', '/hooks/b.json', '/hooks/d.json', '/missing.json']),
    );
  });

  test('a directory without packs is a finding', async () => {
    const root = plant(scratchDirectory(), { 'hooks/': '' });
    expect((await refusal({ ...base, projectRoot: root, packs: 'hooks' })).findings).toMatchObject([
      { code: 'no_packs' },
    ]);
  });

  liveTest(linux, 'and agents that have no end, or that nobody writes to, are refused and not waited for', async () => {
    const directory = plant(scratchDirectory(), { 'good.json': JSON.stringify({ version: 1, name: 'g', hooks: [] }) });
    const pipe = path.join(directory, 'pipe.json');
    spawnSync('/usr/bin/mkfifo', [pipe]);
    // A file of the kernel: regular, 0 bytes by its own word, and hundreds of gigabytes when it is read.
    symlinkSync('/proc/self/pagemap', path.join(directory, 'endless.json'));
    symlinkSync('/dev/zero', path.join(directory, 'device.json'));
    for (const name of ['pipe.json', 'endless.json', 'device.json']) {
      const file = path.join(directory, name);
      await expect(createExecutor({ packs: file })).rejects.toMatchObject({ code: 'invalid_pack' });
      const agent = createExecutor({ packs: path.join(directory, 'good.json'), agent: file });
      await expect(agent).rejects.toMatchObject({ code: 'invalid_agent' });
    }
  });

  test('an agent selects by name, and must name existing ones', async () => {
    const root = plant(scratchDirectory(), {
      'allow.sh': sayAllow,
      'hooks/a.json': pack('a'),
      'hooks/b.json': pack('b'),
      'agent.json': '{"model":"m","hooks":["b"]}',
      'wrong.json': '{"hooks":["c"]}',
    });
    const executor = await createExecutor({ ...base, projectRoot: root, packs: 'hooks', agent: 'agent.json' });
    const verdict = await executor.dispatch(toolEvent());
    await executor.close();
    expect(verdict.outcomes.map(({ hook }) => hook.pack)).toEqual(['b']);
    const error = await refusal({ ...base, projectRoot: root, packs: 'hooks', agent: 'wrong.json' });
    expect(error).toMatchObject({ code: 'invalid_agent', findings: [{ code: 'unknown_pack', pointer: '/hooks/0' }] });
  });

  test.each(['.hookcell/hooks', '.polpo/hooks'])('found in %s are not run, and block', async (directory) => {
    const root = plant(scratchDirectory(), { [`${directory}/x.json`]: '{ not even a pack' });
    const executor = await createExecutor({ ...base, projectRoot: root });
    const guard = await executor.dispatch(toolEvent());
    const notified = await executor.dispatch({ event: 'notification', data: {} });
    await executor.close();
    expect(guard).toMatchObject({
      decision: { action: 'deny', reason: expect.stringContaining(`--packs ${directory}`) },
      outcomes: [{ cause: 'untrusted' }],
    });
    expect(notified).toMatchObject({ decision: { action: 'allow' }, outcomes: [{ cause: 'untrusted' }] });
  });

  test('without any, events go on', async () => {
    const executor = await createExecutor({ ...base, projectRoot: scratchDirectory() });
    expect(await executor.dispatch(toolEvent())).toMatchObject({ decision: { action: 'allow' }, outcomes: [] });
    await executor.close();
  });
});

describe('the kill switch', () => {
  test('asks nobody, and says so', async () => {
    const executor = await executorOf([hookOf('deny.sh')], { ...base, killSwitch: true });
    expect(await executor.dispatch(toolEvent())).toMatchObject({
      decision: { action: 'allow' },
      outcomes: [{ status: 'skipped' }],
    });
  });

  test('blocks where a required pack has a hook', async () => {
    const executor = await executorOf([hookOf('allow.sh')], { ...base, killSwitch: true }, { required: true });
    expect(await executor.dispatch(toolEvent())).toMatchObject({
      decision: { action: 'deny' },
      outcomes: [{ status: 'failed' }],
    });
    expect(await executor.dispatch({ event: 'run:start', data: {} })).toMatchObject({ decision: { action: 'allow' } });
  });
});

describe('events', () => {
  test.each<[string, object]>([
    ['an unknown name', { event: 'tool:befor', data: {} }],
    ['no data', { event: 'tool:before' }],
    ['an unknown key', { event: 'tool:before', data: {}, extra: 1 }],
    ['a getter', { event: 'tool:before', data: Object.defineProperty({}, 'x', { get: () => 1, enumerable: true }) }],
  ])("with %s are the caller's mistake", async (_what, event) => {
    const executor = await executorOf([], base);
    await expect(executor.dispatch(asEvent(event))).rejects.toMatchObject({
      code: 'invalid_event',
    });
  });

  test('a depth that is none is too', async () => {
    const executor = await executorOf([], base);
    await expect(executor.dispatch(toolEvent(), { depth: -1 })).rejects.toMatchObject({ code: 'invalid_options' });
  });

  test('of the host itself are known once they are defined', async () => {
    const deploy = defineEvent('deploy:start', { class: 'guard' });
    const executor = await executorOf([hookOf('deny.sh', { event: 'deploy:start' })], { ...base, events: [deploy] });
    expect(await executor.dispatch({ event: 'deploy:start', data: {} })).toMatchObject({
      decision: { action: 'deny' },
    });
  });
});

test('explain says what would run, with what, and why not', async () => {
  const hooks = [
    hookOf('deny.sh', { matcher: { tools: ['write'] } }),
    hookOf('ask.sh', { matcher: { tools: ['read'] } }),
    hookOf('stop.sh', { event: 'run:start' }),
    hookOf('not-there.sh'),
    hookOf('allow.sh', { sandbox: { network: 'host', env: ['CI'] } }),
  ];
  const executor = await executorOf(hooks, {
    installationKey: base.installationKey,
    sandbox: { backend: 'none', env: { CI: 'a value' } },
  });
  const { hooks: explained } = executor.explain(toolEvent());
  expect(explained).toMatchObject([
    { hook: { id: 'deny' }, runs: true, argv: [expect.stringContaining('sh'), expect.stringContaining('deny.sh')] },
    { hook: { id: 'ask' }, runs: false, why: 'tool "write" is none of read' },
    { hook: { id: 'stop' }, runs: false, why: 'is for run:start' },
    { hook: { id: 'not-there' }, problem: { cause: 'launch_failed' } },
    { hook: { id: 'allow' }, problem: { cause: 'untrusted' } },
  ]);
  expect(JSON.stringify(explained)).not.toContain('a value');
});

test('a verdict as JSON is one line, keeps long numbers and leaves the promise out', async () => {
  const executor = await executorOf([{ ...hookOf('append-to-content.py'), id: 'm' }], base);
  const verdict = await executor.dispatch({
    event: 'tool:before',
    data: { tool: 'write', input: { content: 'x' }, size: new JsonNumber('9007199254740993') },
  });
  const line = stringifyVerdict(verdict);
  expect(line).not.toContain('\n');
  expect(line).toContain('"size":9007199254740993');
  expect(Object.keys(verdictToJson(verdict))).not.toContain('observed');
});

test('assertAllowed throws for everything that must not go on', async () => {
  for (const script of ['deny.sh', 'ask.sh', 'defer.sh', 'stop.sh', 'not-json.sh']) {
    const executor = await executorOf([hookOf(script)], base);
    const verdict = await executor.dispatch(toolEvent());
    expect(() => assertAllowed(verdict)).toThrow(HookDeniedError);
    expect(() => assertAllowed(verdict)).toThrow(expect.objectContaining({ code: 'hook_denied' }));
  }
  const executor = await executorOf([hookOf('allow.sh')], base);
  assertAllowed(await executor.dispatch(toolEvent()));
});

test('an executor can be disposed of', async () => {
  const executor = await executorOf([hookOf('allow.sh')], base);
  await executor[Symbol.asyncDispose]();
  await executor.close();
  await expect(executor.dispatch(toolEvent())).rejects.toMatchObject({ code: 'executor_closed' });
});
