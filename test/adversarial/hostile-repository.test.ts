import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import {
  allows,
  byGuard,
  decisionOf,
  denies,
  guardFile,
  packText,
  repository,
  scriptFile,
  toolEvent,
  untrusted,
} from '../support/repository.ts';
import { plant } from '../support/view.ts';

const wall = [linux, bubblewrap];
const evilFile = '.hookcell/hooks/evil.json';
const evil = packText({ name: 'evil', hook: { event: 'tool:after' } });

describe('a pack that hides', () => {
  liveTest(wall, 'the guard is there in every directory below, by every way into it', async () => {
    const { accept, cli, root } = repository();
    await accept();
    symlinkSync('sub/deep', path.join(root, 'way'));
    for (const below of ['.', 'sub', 'sub/deep', 'way', 'sub/../sub/./deep'])
      expect([below, decisionOf(await cli(['run'], { below }))]).toEqual([below, byGuard]);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['in a sub-folder', { [`sub/${evilFile}`]: evil }, 'sub'],
    ['in a sub-folder, under the name of the guard', { [`sub/${guardFile}`]: packText() }, 'sub/deep'],
    ['in the other directory of a sub-folder', { 'sub/.polpo/hooks/x.json': '' }, 'sub'],
    [
      'with a sub-folder that looks like a repository of its own',
      { 'sub/.git/HEAD': 'x', [`sub/${evilFile}`]: evil },
      'sub',
    ],
  ])('%s blocks there, beside the accepted guard', async (_what, files, below) => {
    const { accept, cli, root } = repository();
    await accept();
    plant(root, files);
    const result = await cli(['run', '--json'], { below });
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stdout)).toMatchObject({ decision: { action: 'deny' } });
    expect(result.stdout).toContain('below the accepted project');
    const list = await cli(['list'], { below });
    expect([list.code, list.stdout]).toEqual([1, expect.stringContaining('below the accepted project')]);
    expect((await cli(['run'])).code).toBe(2);
  });

  test('a project below an accepted one cannot be accepted into its place', async () => {
    const { accept, cli, root } = repository();
    await accept();
    plant(root, { [`sub/${evilFile}`]: evil, [`sub/${scriptFile}`]: allows });
    expect(await cli(['trust', 'sub', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('sub') });
    expect((await cli(['run'], { below: 'sub' })).code).toBe(2);
  });

  test('a project around an accepted one cannot either, and its packs do not count', async () => {
    const { accept, cli, ask, top } = repository();
    await accept();
    plant(path.join(top, 'outer'), { [evilFile]: evil });
    expect(await cli(['trust', '..', '--yes'])).toMatchObject({ code: 1 });
    expect(await ask({ sandbox: { backend: 'none' } })).toMatchObject({ decision: byGuard });
  });
});

describe('a trusted pack that is taken away', () => {
  const ways: readonly [string, (root: string) => void][] = [
    ['deleted', (root) => rmSync(path.join(root, guardFile))],
    ['renamed', (root) => renameSync(path.join(root, guardFile), path.join(root, '.hookcell/hooks/guard.json.bak'))],
    ['in a directory that was deleted', (root) => rmSync(path.join(root, '.hookcell'), { recursive: true })],
    [
      'in a directory that became a file',
      (root) => {
        rmSync(path.join(root, '.hookcell/hooks'), { recursive: true });
        writeFileSync(path.join(root, '.hookcell/hooks'), '');
      },
    ],
    [
      'in a directory that became a loop',
      (root) => {
        rmSync(path.join(root, '.hookcell'), { recursive: true });
        symlinkSync('.hookcell', path.join(root, '.hookcell'));
      },
    ],
    ['emptied', (root) => writeFileSync(path.join(root, guardFile), '')],
  ];
  for (const [what, take] of ways) {
    test(`${what}: everything that it could have guarded is blocked, from below, too, and with the kill switch`, async () => {
      const { accept, ask, cli, root } = repository({ [guardFile]: packText({ required: true }) });
      await accept();
      take(root);
      expect(await ask()).toMatchObject(untrusted(/guard\.json|\.hookcell/u));
      expect(await ask({ projectRoot: path.join(root, 'sub/deep') })).toMatchObject(untrusted('hookcell trust'));
      expect((await cli(['run'], { env: { HOOKCELL_HOOKS: 'off' } })).code).toBe(2);
      expect((await cli(['explain'])).code).toBe(1);
    });
  }

  test('by deleting the whole project and putting another there', async () => {
    const { accept, ask, root, top } = repository();
    await accept();
    renameSync(root, path.join(top, 'aside'));
    mkdirSync(root);
    expect(await ask()).toMatchObject(untrusted('removed'));
  });
});

describe('agent.json', () => {
  const unasked = expect.arrayContaining([expect.objectContaining({ cause: 'untrusted' })]);

  test('that deselects the guard has to be accepted as it is', async () => {
    const { accept, ask, cli, root } = repository();
    await accept();
    for (const name of ['agent.json', '.hookcell/agent.json', 'agents/mine.json']) {
      plant(root, { [name]: '{"hooks":[]}' });
      expect((await ask({ agent: name })).outcomes).toMatchObject(unasked);
      expect((await cli(['run', '--agent', name])).code).toBe(2);
      rmSync(path.join(root, name));
    }
  });

  test('an agent of the project that is named by a path through a link is one of the project', async () => {
    const { accept, ask, root, top } = repository({ 'agents/mine.json': '{"hooks":[]}' });
    await accept();
    symlinkSync('outer/repository', path.join(top, 'alias'));
    linkSync(path.join(root, 'agents/mine.json'), path.join(root, 'agents/hard.json'));
    symlinkSync('outer/repository/agents/mine.json', path.join(top, 'agent.json'));
    for (const agent of [path.join(top, 'alias/agents/mine.json'), '../../alias/agents/mine.json', 'agents/hard.json'])
      expect([agent, (await ask({ agent })).outcomes]).toMatchObject([agent, unasked]);
    const agent = path.join(top, 'alias/agents/mine.json');
    for (const options of [
      { agent: path.join(top, 'agent.json') },
      { agent, projectRoot: path.join(top, 'alias/sub') },
    ])
      expect((await ask(options)).outcomes).toMatchObject(unasked);
    await accept('--agent', 'agents/mine.json');
    expect((await ask({ agent })).outcomes).toEqual([]);
  });

  test.each<[string, string]>([
    ['names a pack that is not there', '{"hooks":["guard","ghost"]}'],
    ['names a pack twice', '{"hooks":["guard","guard"]}'],
    ['says nothing of hooks', '{}'],
    ['has the key twice', '{"hooks":["guard"],"hooks":[]}'],
    ['has another key that looks the same', '{"hooks":["guard"],"__proto__":{"hooks":[]}}'],
    ['is no list', '{"hooks":{"length":0}}'],
    ['is no JSON', '{'],
    ['is deep', `{"hooks":${'['.repeat(100_000)}`],
    ['is large', `{"hooks":["guard"]${' '.repeat(5 * 1024 * 1024)}}`],
  ])('that %s blocks, also when packs are named', async (_what, text) => {
    const { cli } = repository({ 'agent.json': text });
    const result = await cli(['run', '--packs', '.hookcell/hooks', '--agent', 'agent.json']);
    expect([result.code, decisionOf(result).action]).toEqual([2, 'deny']);
    expect((await cli(['list', '--packs', '.hookcell/hooks', '--agent', 'agent.json'])).code).toBe(65);
  });

  test('does not turn off what the organization asks', async () => {
    const { ask, accept, top } = repository({ 'agent.json': '{"hooks":[]}', [guardFile]: evil });
    const handler = { command: ['/bin/sh', './check.sh'] };
    plant(top, {
      'etc/packs/org.json': packText({ name: 'org', handler }),
      'etc/packs/check.sh': denies('by the organization'),
    });
    await accept();
    const configuration = { systemDirectory: path.join(top, 'etc') };
    const { decision } = await ask({ agent: 'agent.json', configuration, sandbox: { backend: 'none' } });
    expect(decision).toEqual({ action: 'deny', reason: 'by the organization' });
  });
});

describe('the kill switch', () => {
  const off = { HOOKCELL_HOOKS: 'off' };

  test.each<[string, object, object, number, string]>([
    ['turns an optional guard off, and says so', {}, {}, 0, 'kill switch'],
    ['does not turn off a required one', { required: true }, {}, 2, 'required'],
    ['does nothing where it is forbidden', {}, { killSwitch: 'forbid' }, 2, 'by the guard'],
  ])('%s', async (_what, pack, configuration, code, text) => {
    const { accept, cli, config } = repository({ [guardFile]: packText(pack) });
    plant(config, { 'config.json': JSON.stringify({ version: 1, ...configuration }) });
    await accept();
    const result = await cli(['run', '--json', '--backend', 'none'], { env: off });
    expect([result.code, result.stdout]).toEqual([code, expect.stringContaining(text)]);
  });

  test('is nothing that a repository could set: not by a file, not by another spelling', async () => {
    const { accept, cli } = repository({
      '.env': 'HOOKCELL_HOOKS=off',
      '.hookcell/config.json': '{"version":1,"killSwitch":"allow"}',
    });
    await accept();
    expect(decisionOf(await cli(['run', '--backend', 'none']))).toEqual(byGuard);
    for (const value of ['OFF', '0', 'false', ' off', 'off\n'])
      expect([value, (await cli(['run'], { env: { HOOKCELL_HOOKS: value } })).code]).toEqual([value, 2]);
  });
});

describe('a configuration that a repository could have written', () => {
  const grants = JSON.stringify({ version: 1, killSwitch: 'allow', grant: { network: 'host', write: ['.'] } });

  test.each<[string, (place: { readonly root: string; readonly config: string }) => string | undefined]>([
    ['lies in the project', ({ root }) => plant(path.join(root, 'xdg'), { 'hookcell/config.json': grants })],
    [
      'is a link to a file of the project',
      ({ root, config }) => {
        plant(root, { 'mine.json': grants });
        symlinkSync(path.join(root, 'mine.json'), path.join(config, 'config.json'));
        return undefined;
      },
    ],
    [
      'lies in a directory that is a link into the project',
      ({ root, config }) => {
        plant(root, { 'xdg/config.json': grants });
        rmSync(config, { recursive: true });
        symlinkSync(path.join(root, 'xdg'), config);
        return undefined;
      },
    ],
    [
      'is reached through a link of the project to outside',
      ({ root, config }) => {
        plant(config, { 'config.json': grants });
        symlinkSync(path.dirname(config), path.join(root, 'xdg'));
        return path.join(root, 'xdg');
      },
    ],
  ])('since it %s: refused, and everything is blocked', async (_what, arrange) => {
    const { accept, cli, config, root } = repository({ [guardFile]: packText({ sandbox: { network: 'host' } }) });
    await accept();
    const home = arrange({ root, config });
    const env = home === undefined ? {} : { XDG_CONFIG_HOME: home };
    expect(await cli(['run'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('outside the project'),
    });
    for (const command of ['list', 'explain']) expect((await cli([command], { env })).code).toBe(78);
  });

  test.each<[string, number, (config: string) => string]>([
    ['the file', 0o666, (config) => path.join(config, 'config.json')],
    ['its directory', 0o777, (config) => config],
    ['a directory above', 0o775, (config) => path.dirname(config)],
  ])('since others may write to %s: refused, and everything is blocked', async (_what, mode, placeOf) => {
    const { accept, cli, config } = repository({ [guardFile]: packText({ sandbox: { network: 'host' } }) });
    await accept();
    plant(config, { 'config.json': grants });
    expect(decisionOf(await cli(['run', '--backend', 'none']))).toEqual(byGuard);
    chmodSync(placeOf(config), mode);
    expect(await cli(['run'])).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod go-w') });
    expect((await cli(['list'])).code).toBe(78);
  });

  test('a state directory in the project holds no record that counts', async () => {
    const { cli, root, state } = repository();
    await cli(['trust', '--yes']);
    // The very record that the operator wrote, brought along by the repository.
    renameSync(path.dirname(state), path.join(root, 'state'));
    for (const env of [{ XDG_STATE_HOME: path.join(root, 'state') }, { XDG_STATE_HOME: 'state' }, {}]) {
      const result = await cli(['run'], { env: { ...env, HOME: path.join(root, 'home') } });
      expect([result.code, decisionOf(result).action]).toEqual([2, 'deny']);
    }
  });
});

test('an executor that was made before the attack and one made after agree: nothing goes on', async () => {
  const { accept, executor, root } = repository();
  await accept();
  const before = await executor({ sandbox: { backend: 'none' } });
  plant(root, { [evilFile]: evil, [scriptFile]: allows });
  const after = await executor({ sandbox: { backend: 'none' } });
  for (const one of [before, after]) expect((await one.dispatch(toolEvent)).decision).toMatchObject({ action: 'deny' });
});
