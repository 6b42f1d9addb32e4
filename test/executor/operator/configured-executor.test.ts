import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createExecutor, HookcellError } from '../../../src/index.ts';
import type { Executor, ExecutorOptions } from '../../../src/index.ts';
import { bubblewrap, liveTest } from '../../support/capability.ts';
import { toolEvent } from '../../support/executor.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const key = { installationKey: new Uint8Array(32) };
const withoutWall = { ...key, sandbox: { backend: 'none' } } as const;
const allow = `#!/bin/sh\necho '{"decision":{"action":"allow"}}'\n`;
const deny = (reason: string): string => `#!/bin/sh\necho '{"decision":{"action":"deny","reason":"${reason}"}}'\n`;

interface World {
  readonly project: string;
  readonly system: string;
  readonly user: string;
  /** Writes the user's configuration. */
  readonly configure: (configuration: object | string) => void;
  readonly create: (options?: ExecutorOptions) => Promise<Executor>;
}

function pack(name: string, hook: object = {}, rest: object = {}): string {
  const one = {
    id: 'check',
    event: 'tool:before',
    handler: { type: 'command', command: './check.sh', timeoutMs: 20_000 },
  };
  return JSON.stringify({ version: 1, name, ...rest, hooks: [{ ...one, ...hook }] });
}

/** A project, the system's and the user's configuration directories side by side; files are relative to their parent. */
function world(files: Readonly<Record<string, string>>): World {
  const top = plant(scratchDirectory(), { 'project/': '', 'etc/': '', 'user/': '', ...files });
  const [project, system, user] = [join(top, 'project'), join(top, 'etc'), join(top, 'user')];
  return {
    project,
    system,
    user,
    configure: (configuration) =>
      writeFileSync(
        join(user, 'config.json'),
        typeof configuration === 'string' ? configuration : JSON.stringify({ version: 1, ...configuration }),
      ),
    async create(options = {}) {
      const configuration = { systemDirectory: system, userDirectory: user };
      const executor = await createExecutor({
        ...withoutWall,
        projectRoot: project,
        packs: 'quality.json',
        configuration,
        ...options,
      });
      onTestFinished(() => executor.close());
      return executor;
    },
  };
}

async function refusal(created: Promise<Executor>): Promise<HookcellError> {
  const error = await created.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HookcellError)) throw new Error('expected a refusal');
  return error;
}

describe('a request beyond the grant', () => {
  const asking = {
    'project/check.sh': `#!/bin/sh\ncat >/dev/null\nprintf '{"decision":{"action":"deny","reason":"CI is %s"}}' "$CI"\n`,
    'project/quality.json': pack('quality', {}, { sandbox: { env: ['CI'], network: 'host', memoryMb: 600 } }),
  };
  const quiet = {
    'project/quality.json': pack('quality', {}, { sandbox: { env: ['CI'] } }),
    'project/check.sh': asking['project/check.sh'],
  };

  test('is granted by the very line that the refusal names, written where it says', async () => {
    const here = world(asking);
    const first = await (await here.create()).dispatch(toolEvent());
    expect(first).toMatchObject({ outcomes: [{ cause: 'untrusted' }], decision: { action: 'deny' } });
    const message = first.outcomes[0]?.status === 'failed' ? first.outcomes[0].message : '';
    const [, file, line] = /or in (\S+): (\{.*\})$/u.exec(message) ?? [];
    expect(file).toBe(join(here.user, 'config.json'));
    writeFileSync(file ?? '', line ?? '');
    const executor = await here.create({ hostEnvironment: { CI: 'yes' } });
    expect(executor.list().hooks[0]).not.toHaveProperty('problem');
    expect(executor.list().hooks[0]?.effective).toContainEqual({
      key: 'network',
      value: 'host',
      origin: { from: 'pack request', at: join(here.project, 'quality.json') },
      grantedBy: { from: 'user file', at: expect.stringMatching(/config\.json:1:\d+$/u) },
    });
  });

  test('with the value from the host’s environment, which nobody else can read', async () => {
    const here = world(quiet);
    here.configure({ grant: { env: ['CI'] } });
    const executor = await here.create({ hostEnvironment: { CI: 'yes', OTHER: 'no' } });
    expect(await executor.dispatch(toolEvent())).toMatchObject({ decision: { reason: 'CI is yes' } });
    expect(JSON.stringify([executor.list(), executor.explain(toolEvent())])).not.toContain('yes');
    const unset = await here.create({ hostEnvironment: process.env });
    expect(await unset.dispatch(toolEvent())).toMatchObject({
      decision: { reason: `CI is ${process.env['CI'] ?? ''}`.trim() },
    });
  });

  test('is not granted by the name of a pack in another project', async () => {
    const here = world(asking);
    const grant = { env: ['CI'], network: 'host', memoryMb: 600 };
    here.configure({ organization: { quality: grant }, projects: { [here.system]: { packs: { quality: grant } } } });
    expect((await here.create()).list().hooks).toMatchObject([{ problem: { cause: 'untrusted' } }]);
  });
});

describe('a configuration file', () => {
  const files = { 'project/check.sh': allow, 'project/quality.json': pack('quality') };

  test.each<[string, object | string]>([
    ['an unknown key', { grants: {} }],
    ['no JSON', '{'],
    ['nothing in it', ''],
    ['another version', '{"version":2}'],
  ])('with %s is refused, with its place', async (_what, configuration) => {
    const here = world(files);
    here.configure(configuration);
    const error = await refusal(here.create());
    expect(error).toMatchObject({ code: 'invalid_configuration' });
    expect(error.findings[0]).toMatchObject({ file: join(here.user, 'config.json'), line: 1 });
  });

  test('that others may change is refused', async () => {
    const here = world(files);
    here.configure({});
    chmodSync(join(here.user, 'config.json'), 0o666);
    expect(await refusal(here.create())).toMatchObject({ code: 'invalid_configuration' });
  });

  test('in the project is refused, though it grants nothing', async () => {
    const here = world({ ...files, 'project/.config/config.json': '{"version":1}' });
    const configuration = { userDirectory: join(here.project, '.config') };
    expect(await refusal(here.create({ configuration }))).toMatchObject({ code: 'invalid_configuration' });
  });

  test('of the system fixes the wall', async () => {
    const here = world({ ...files, 'etc/config.json': '{"version":1,"backend":"bubblewrap"}' });
    expect(await refusal(here.create())).toMatchObject({
      code: 'invalid_configuration',
      findings: [{ code: 'backend_loosened' }],
    });
  });

  test('is not looked for unless it is named', async () => {
    const here = world(files);
    here.configure('{');
    const executor = await here.create({ configuration: {} });
    expect(executor.list().configuration).toEqual([]);
  });

  test('sets limits, which a hook gets and which do not cut each other', async () => {
    const here = world({
      ...files,
      'project/quality.json': pack('quality', { handler: { type: 'command', command: './check.sh' } }),
    });
    here.configure({ profile: 'managed', grant: { timeoutMs: 400_000, maxOutputBytes: 2_000 } });
    const { hooks, settings } = (await here.create()).list();
    expect(hooks[0]).toMatchObject({ timeoutMs: 400_000 });
    const from = 'user file';
    expect(settings).toContainEqual({ key: 'profile', value: 'managed', origin: expect.objectContaining({ from }) });
    expect(settings).toContainEqual({ key: 'totalTimeMs', value: 400_000, origin: expect.objectContaining({ from }) });
    expect(hooks[0]?.effective).toContainEqual(expect.objectContaining({ key: 'maxOutputBytes', value: 2_000 }));
  });

  test('names secrets, whose values no hook sees', async () => {
    const echo = `#!/bin/sh\nprintf '{"decision":{"action":"deny","reason":"%s"}}' "$(grep -o 'plain[^"]*word' | head -n 1)"\n`;
    const here = world({ ...files, 'project/check.sh': echo });
    const event = toolEvent({ content: 'plain harmless word' });
    const hostEnvironment = { MINE: 'plain harmless word' };
    expect(await (await here.create({ hostEnvironment })).dispatch(event)).toMatchObject({
      decision: { reason: 'plain harmless word' },
    });
    here.configure({ secrets: ['MINE', 'NOT_SET', 'constructor'] });
    const verdict = await (await here.create({ hostEnvironment })).dispatch(event);
    expect(JSON.stringify(verdict)).not.toContain('harmless');
  });
});

describe('packs of the organization', () => {
  const files = {
    'project/check.sh': deny('by the project'),
    'project/quality.json': pack('quality', { priority: 1 }),
    'etc/packs/audit.json': pack('audit', {
      priority: 200,
      handler: { type: 'command', command: './scripts/audit.sh' },
    }),
    'etc/packs/scripts/audit.sh': allow,
    // What the project puts in the way of a relative name must not run in place of the organization's.
    'project/scripts/audit.sh': deny('by the hostile project'),
  };

  test('come first whatever their priority, from their own directory', async () => {
    const verdict = await (await world(files).create()).dispatch(toolEvent());
    expect(verdict.outcomes.map(({ hook, status }) => [hook.pack, status])).toEqual([
      ['audit', 'answered'],
      ['quality', 'answered'],
    ]);
    expect(verdict.decision).toEqual({ action: 'deny', reason: 'by the project' });
  });

  liveTest(bubblewrap, 'see their own directory behind the wall, and work there', async () => {
    const here = world({
      ...files,
      'etc/packs/scripts/audit.sh': '#!/bin/sh\ncat >/dev/null\ncat scripts/answer.json\n',
      'etc/packs/scripts/answer.json': '{"decision":{"action":"deny","reason":"the rule"}}',
    });
    const verdict = await (await here.create({ sandbox: {} })).dispatch(toolEvent());
    expect(verdict.decision).toEqual({ action: 'deny', reason: 'the rule' });
  });

  test('run beside no other, and in a project whose packs nobody accepted', async () => {
    const watching = `#!/bin/sh\ncat >/dev/null\necho '{"decision":{"action":"stop","reason":"seen"}}'\n`;
    const here = world({ ...files, 'etc/packs/scripts/audit.sh': watching });
    expect(await (await here.create({ packs: [] })).dispatch(toolEvent())).toMatchObject({
      outcomes: [{ hook: { pack: 'audit' } }],
    });
    plant(here.project, { '.hookcell/hooks/quality.json': files['project/quality.json'] });
    const executor = await createExecutor({
      ...withoutWall,
      projectRoot: here.project,
      configuration: { systemDirectory: here.system },
      stateDirectory: here.user,
    });
    onTestFinished(() => executor.close());
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict.outcomes.map(({ hook }) => hook.pack)).toEqual(['audit', '<project>']);
    // What the organization says is stricter than the block, and stands.
    expect(verdict.decision).toEqual({ action: 'stop', reason: 'seen' });
  });

  test('are not deselected by an agent', async () => {
    const here = world({ ...files, 'project/agent.json': '{"hooks":[]}' });
    const { hooks } = (await here.create({ agent: 'agent.json' })).list();
    expect(hooks.map(({ hook, scope }) => [hook.pack, scope])).toEqual([['audit', 'organization']]);
  });

  test.each<[string, (here: World) => object]>([
    ['missing', (here) => ({ organizationPacks: [join(here.system, 'gone')] })],
    ['without a pack', (here) => ({ organizationPacks: [join(here.system, 'packs/scripts')] })],
    ['in the project', (here) => ({ organizationPacks: [join(here.project, 'quality.json')] })],
  ])('that are named and %s are refused', async (_what, configuration) => {
    const here = world(files);
    here.configure(configuration(here));
    expect(await refusal(here.create())).toMatchObject({ code: 'invalid_configuration' });
  });

  test('that others may change are refused', async () => {
    const here = world(files);
    chmodSync(join(here.system, 'packs/audit.json'), 0o666);
    expect(await refusal(here.create())).toMatchObject({ code: 'invalid_configuration' });
  });

  test('get what is granted to them by name, and not what is granted to a project', async () => {
    const asking = pack(
      'audit',
      { handler: { type: 'command', command: './scripts/audit.sh' } },
      { sandbox: { env: ['CI'] } },
    );
    const here = world({ ...files, 'etc/packs/audit.json': asking });
    here.configure({ projects: { [here.project]: { grant: { env: ['CI'] }, packs: { audit: { env: ['CI'] } } } } });
    expect((await here.create()).list().hooks[0]).toMatchObject({
      problem: { message: expect.stringContaining('{"version":1,"organization":{"audit":{"env":["CI"]}}}') },
    });
    here.configure({ organization: { audit: { env: ['CI'] } } });
    expect((await here.create()).list().hooks[0]).not.toHaveProperty('problem');
  });
});

describe('the kill switch', () => {
  const files = { 'project/check.sh': deny('on'), 'project/quality.json': pack('quality') };

  test('that a configuration forbids does nothing', async () => {
    const here = world(files);
    const off = await (await here.create({ killSwitch: true })).dispatch(toolEvent());
    expect(off).toMatchObject({ decision: { action: 'allow' }, outcomes: [{ status: 'skipped' }] });
    here.configure({ killSwitch: 'forbid' });
    const on = await (await here.create({ killSwitch: true })).dispatch(toolEvent());
    expect(on).toMatchObject({ decision: { action: 'deny', reason: 'on' } });
  });

  test('is recorded for packs that nobody accepted, too', async () => {
    const here = world({ 'project/.hookcell/hooks/quality.json': pack('quality') });
    const options = { ...withoutWall, projectRoot: here.project, stateDirectory: here.user, killSwitch: true };
    const executor = await createExecutor(options);
    onTestFinished(() => executor.close());
    expect(await executor.dispatch(toolEvent())).toMatchObject({
      decision: { action: 'allow' },
      outcomes: [{ hook: { pack: '<project>' }, status: 'skipped', message: expect.stringContaining('kill switch') }],
    });
  });
});

test('a guard is not dodged by going into a sub-directory', async () => {
  const here = world({ 'project/.hookcell/hooks/quality.json': pack('quality'), 'project/a/b/': '' });
  const executor = await createExecutor({
    ...withoutWall,
    projectRoot: join(here.project, 'a/b'),
    stateDirectory: here.user,
  });
  onTestFinished(() => executor.close());
  expect(await executor.dispatch(toolEvent())).toMatchObject({ decision: { action: 'deny' } });
  expect(executor.list()).toMatchObject({ project: { root: here.project, foundBy: 'packs' } });
});
