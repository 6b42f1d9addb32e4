import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileGlob } from '../../src/protocol/index.ts';
import { linux, liveTest, root as isRoot } from '../support/capability.ts';
import type { Repository } from '../support/repository.ts';
import {
  decisionOf,
  guardFile,
  packText,
  repository,
  scriptFile,
  toolEvent,
  untrusted,
} from '../support/repository.ts';
import { plant } from '../support/view.ts';

const noWall = { sandbox: { backend: 'none' } } as const;

function manyHooks(count: number, name = 'guard', rest: object = {}): string {
  const handler = { type: 'command', command: `./${scriptFile}` };
  const hooks = Array.from({ length: count }, (_, index) => ({
    id: `h${index}`,
    event: 'tool:before',
    ...rest,
    handler,
  }));
  return JSON.stringify({ version: 1, name, hooks });
}

describe('5 000 hooks', () => {
  test('in one pack are refused by every command, and block', async () => {
    const { cli, accept, ask } = repository({ [guardFile]: manyHooks(5_000) });
    await expect(accept()).rejects.toThrow('mend this first');
    expect(await ask()).toMatchObject(untrusted('nobody accepted'));
    const named = await cli(['run', '--packs', '.hookcell/hooks']);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('1024')]);
    expect((await cli(['validate'])).code).toBe(1);
  });

  test('in five packs: those that the event has room for are asked, the others fail, and the event is blocked', async () => {
    const packs = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`.hookcell/hooks/p${index}.json`, manyHooks(1_000, `p${index}`)]),
    );
    const { accept, executor, cli, root } = repository({
      ...packs,
      [scriptFile]: '#!/bin/sh\necho \'{"decision":{"action":"allow"}}\'\n',
    });
    rmSync(path.join(root, guardFile));
    await accept();
    const one = await executor({ ...noWall, limits: { maxHooksPerEvent: 8 } });
    const { decision, outcomes } = await one.dispatch(toolEvent);
    expect(decision).toMatchObject({
      action: 'deny',
      reason: expect.stringContaining('more than 8 controlling hooks'),
    });
    expect(outcomes.filter(({ status }) => status === 'answered')).toHaveLength(8);
    expect(outcomes).toHaveLength(5_000);
    expect(outcomes[8]).toMatchObject({ status: 'failed', cause: 'budget_exhausted' });
    for (const command of ['list', 'explain'])
      expect((await cli([command, '--json'])).stdout.length).toBeGreaterThan(1_000_000);
  });
});

describe('patterns that are made to hang', () => {
  const stars = '*a'.repeat(127);

  test.each<[string, string, string]>([
    ['many stars that all match but the end', `${stars}*b`, 'a'.repeat(200_000)],
    ['many stars that match nothing', `${stars}b*`, 'a'.repeat(200_000)],
    ['a long piece that nearly matches everywhere', `*${'a'.repeat(120)}b${'a'.repeat(120)}*`, 'a'.repeat(1_000_000)],
    ['a long piece with its odd one first', `*b${'a'.repeat(250)}*c*`, `${'a'.repeat(250)}b`.repeat(4_000)],
    ['what a regular expression would choke on', '(a+)+$*[', 'a'.repeat(100_000)],
  ])('%s: the answer comes', (_what, pattern, name) => {
    expect(compileGlob(pattern)(name)).toBe(false);
  });

  test('a pack full of them, and a tool whose name is as long as an event may be', async () => {
    const tools = Array.from({ length: 128 }, (_, index) => `${'*a'.repeat(120)}*${index}`);
    const { accept, executor } = repository({
      [guardFile]: manyHooks(12, 'guard', { matcher: { tools, steps: tools } }),
    });
    await accept();
    const one = await executor(noWall);
    const event = { event: 'tool:before', data: { tool: 'a'.repeat(500_000), input: {} } } as const;
    expect(one.explain(event).hooks.every(({ runs }) => !runs)).toBe(true);
    expect(await one.dispatch(event)).toMatchObject({ decision: { action: 'allow' }, outcomes: [] });
  });

  const deep = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${'a/'.repeat(12)}${index}/x`, '']));

  test.each<[string, string]>([
    ['any depth again and again', Array.from({ length: 340 }, () => '**').join('/')],
    ['any depth with names between', Array.from({ length: 100 }, () => '**/a').join('/')],
  ])('globs of files: %s looks into no directory twice', async (_what, glob) => {
    const { accept } = repository({ ...deep, [guardFile]: packText({ files: [glob] }) });
    await expect(accept()).resolves.toBeUndefined();
  });

  test('globs of files: every glob that there is room for is refused, not followed', async () => {
    const files = Array.from({ length: 1_024 }, (_, index) => `**/*${index}*`);
    const { accept, ask } = repository({ ...deep, [guardFile]: packText({ files }) });
    await expect(accept()).rejects.toThrow(/more than 100000 directory entries|at most 512/u);
    expect(await ask({ packs: guardFile }).catch((error: unknown) => error)).toMatchObject({ code: 'invalid_pack' });
  });
});

describe('a file that is no pack', () => {
  const texts: readonly [string, string | Uint8Array][] = [
    ['100 000 levels of JSON', '['.repeat(100_000)],
    ['100 000 levels in a key that is known', `{"version":1,"name":"guard","hooks":${'[{"handler":'.repeat(50_000)}`],
    ['levels that are closed again', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['more bytes than a pack may have', `{"version":1,"name":"guard","hooks":[]${' '.repeat(4 * 1024 * 1024)}}`],
    ['a number of a million digits', `{"version":${'1'.repeat(1_000_000)}}`],
    ['no UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
    ['nothing', ''],
    ['a key that is none', '{"__proto__":{"version":1},"version":1,"name":"guard","hooks":[]}'],
  ];

  test.each(texts)('%s: blocks, is refused by name and cannot be accepted', async (_what, text) => {
    const { accept, ask, cli, root } = repository();
    writeFileSync(path.join(root, guardFile), text);
    await expect(accept()).rejects.toThrow('not accepted');
    expect(await ask()).toMatchObject(untrusted('nobody accepted'));
    const named = await cli(['run', '--packs', '.hookcell/hooks']);
    expect([named.code, decisionOf(named).action]).toEqual([2, 'deny']);
    expect((await cli(['validate'])).code).toBeGreaterThan(0);
  });

  const special: readonly [string, (file: string) => unknown][] = [
    ['a pipe that nobody writes to', (file) => spawnSync('/usr/bin/mkfifo', [file])],
    ['a socket', (file) => listen(file)],
    ['a directory', (file) => mkdirSync(file)],
    ['a link to itself', (file) => symlinkSync(path.basename(file), file)],
    ['a link to nothing', (file) => symlinkSync('nothing', file)],
    ['a link to a device', (file) => symlinkSync('/dev/zero', file)],
    ['a link to a file of the kernel that does not end', (file) => symlinkSync('/proc/self/pagemap', file)],
    ['a link to a file of the operator', (file) => symlinkSync('/etc/passwd', file)],
    [
      'a file of a terabyte, of which nothing is there',
      (file) => {
        writeFileSync(file, '');
        truncateSync(file, 2 ** 40);
      },
    ],
  ];

  for (const [what, make] of special) {
    liveTest(linux, `${what}: nobody waits for it, nothing of it is shown, and events are blocked`, async () => {
      const place = repository();
      rmSync(path.join(place.root, guardFile));
      await make(path.join(place.root, guardFile));
      await refusesAll(place);
    });
  }

  liveTest([linux, isRoot], 'a device: it is not opened', async () => {
    const place = repository();
    rmSync(path.join(place.root, guardFile));
    // 1:11 is the kernel's log, which a reader would take lines from.
    spawnSync('/usr/bin/mknod', [path.join(place.root, guardFile), 'c', '1', '11']);
    await refusesAll(place);
  });

  liveTest(linux, 'as a script, as a listed file, as an agent, as a vector: the same', async () => {
    for (const name of [scriptFile, 'rules/x', 'agent.json', '.hookcell/vectors/a.vector.json']) {
      const place = repository({
        'rules/': '',
        '.hookcell/vectors/': '',
        [guardFile]: packText({ files: ['rules/*'] }),
      });
      rmSync(path.join(place.root, name), { force: true });
      spawnSync('/usr/bin/mkfifo', [path.join(place.root, name)]);
      const codes = [
        (await place.cli(['trust', '--yes'])).code,
        (await place.cli(['run'])).code,
        (await place.cli(['test'])).code,
      ];
      expect([name, ...codes]).toEqual([name, expect.any(Number), 2, expect.any(Number)]);
      await place.cli(['list', '--packs', guardFile]);
      await place.cli(['run', '--packs', guardFile, '--agent', 'agent.json', '--backend', 'none']);
    }
  });
});

async function listen(file: string): Promise<void> {
  const server = createServer().listen(path.relative(process.cwd(), file));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
}

async function refusesAll({ accept, ask, cli }: Repository): Promise<void> {
  await expect(accept()).rejects.toThrow('not accepted');
  const verdict = await ask();
  expect(verdict.decision.action).toBe('deny');
  for (const args of [['run'], ['run', '--packs', '.hookcell/hooks'], ['run', '--packs', guardFile]]) {
    const result = await cli(args);
    expect([args, result.code, decisionOf(result).action]).toEqual([args, 2, 'deny']);
    expect(result.stdout + result.stderr).not.toContain('root:x');
  }
  for (const command of ['validate', 'list', 'explain']) expect((await cli([command])).code).toBeGreaterThan(0);
}

test('names of packs, hooks and files that a terminal or a shell would obey are shown as text', async () => {
  const evil = '\u001b]0;x\u0007\u202e$(touch pwned)`';
  const { cli, root } = repository();
  plant(root, { [`.hookcell/hooks/${evil}.json`]: packText({ name: 'evil' }) });
  for (const args of [['run'], ['list'], ['explain'], ['validate'], ['trust']]) {
    const { stdout, stderr } = await cli(args);
    expect([args, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u.test(stdout + stderr)]).toEqual([args, false]);
  }
});
