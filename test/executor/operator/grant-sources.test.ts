import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../src/executor/operator/default-limits.ts';
import { gatherGrants } from '../../../src/executor/operator/grant-sources.ts';
import type { Grantee } from '../../../src/executor/operator/grant-sources.ts';
import type { OperatorFile } from '../../../src/executor/operator/operator-file.ts';
import type { ExecutorOptions } from '../../../src/executor/options.ts';
import type { Configuration } from '../../../src/protocol/index.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

function fileOf(configuration: Partial<Configuration>, level: OperatorFile['level'] = 'user'): OperatorFile {
  const from = level === 'system' ? 'system file' : 'user file';
  return {
    level,
    file: level,
    configuration: { version: 1, ...configuration },
    originAt: (path) => ({ from, at: `/${path.join('/')}` }),
  };
}

/** Names of variables granted to a pack, with where. */
function envOf(files: readonly OperatorFile[], root: string, pack: Grantee, options: ExecutorOptions = {}): string[][] {
  const { env } = gatherGrants(files, options, root, defaultLimits('oss')).of(pack);
  return env.map(({ value, origin }) => [value, origin.at ?? '']);
}

const project = (name: string): Grantee => ({ name, isOrganization: false });
const organization = (name: string): Grantee => ({ name, isOrganization: true });

describe('a grant is for', () => {
  const root = '/';
  const files = [
    fileOf({
      grant: { env: ['ALL'] },
      organization: { audit: { env: ['AUDIT'] } },
      projects: {
        '/': { grant: { env: ['PROJECT'] }, packs: { quality: { env: ['QUALITY'] } } },
        '/usr': { grant: { env: ['OTHER'] }, packs: { quality: { env: ['OTHER'] } } },
        '/not/there': { grant: { env: ['OTHER'] } },
      },
    }),
  ];

  test.each<[string, Grantee, string[]]>([
    ['a pack of the project', project('quality'), ['ALL', 'PROJECT', 'QUALITY']],
    ['another one', project('other'), ['ALL', 'PROJECT']],
    ['one that took the name of an organization pack', project('audit'), ['ALL', 'PROJECT']],
    ['one with the name of every object', project('constructor'), ['ALL', 'PROJECT']],
    ['a pack of the organization', organization('audit'), ['ALL', 'AUDIT']],
    ['one with the name of a project pack', organization('quality'), ['ALL']],
  ])('%s', (_what, pack, names) => {
    expect(envOf(files, root, pack).map(([name]) => name)).toEqual(names);
  });

  test('and says its line', () => {
    expect(envOf(files, root, project('quality'))).toEqual([
      ['ALL', '/grant/env/0'],
      ['PROJECT', '/projects///grant/env/0'],
      ['QUALITY', '/projects///packs/quality/env/0'],
    ]);
  });
});

test('a project is known by its real path', () => {
  const top = plant(scratchDirectory(), { 'app/': '' });
  symlinkSync('app', join(top, 'link'));
  const files = [fileOf({ projects: { [join(top, 'link')]: { grant: { env: ['A'] } } } })];
  expect(envOf(files, join(top, 'app'), project('p'))).toHaveLength(1);
  expect(envOf(files, top, project('p'))).toEqual([]);
});

test('all speakers add up, the invocation last', () => {
  const files = [fileOf({ grant: { env: ['A'] } }, 'system'), fileOf({ grant: { env: ['B'] } })];
  const options: ExecutorOptions = { sandbox: { env: { C: 'a value' } } };
  expect(envOf(files, '/', project('p'), options)).toEqual([
    ['A', '/grant/env/0'],
    ['B', '/grant/env/0'],
    ['C', 'sandbox.env'],
  ]);
  expect(envOf(files, '/', project('p'), { ...options, origin: 'flag' }).at(-1)).toEqual(['C', '--env']);
});

const gather = (path: string) => gatherGrants([], { sandbox: { read: [path] } }, '/usr', defaultLimits('oss'));

describe('paths', () => {
  test('of a file are relative to the project; what is not there, or leads out by a link, is not granted', () => {
    const top = plant(scratchDirectory(), { 'app/data/': '', 'keys/': '' });
    const root = join(top, 'app');
    symlinkSync('../keys', join(root, 'out'));
    symlinkSync('data', join(root, 'inside'));
    const write = ['data', 'inside', 'out', join(root, 'out'), 'missing', '../keys', join(top, 'keys')];
    const { writePaths } = gatherGrants([fileOf({ grant: { write } })], {}, root, defaultLimits('oss')).of(
      project('p'),
    );
    expect(writePaths.map(({ value, origin }) => [value, origin.at])).toEqual([
      [join(root, 'data'), '/grant/write/0'],
      [join(root, 'data'), '/grant/write/1'],
      // Written by the operator as a place outside.
      [join(top, 'keys'), '/grant/write/5'],
      [join(top, 'keys'), '/grant/write/6'],
    ]);
  });

  test('of the options must be there', () => {
    expect(() => gather('not-there')).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(gather('.').of(project('p')).readPaths).toEqual([
      { value: '/usr', origin: { from: 'option', at: 'sandbox.read' } },
    ]);
  });
});

test('limits come in their own units, and the longest timeout is known', () => {
  const files = [
    fileOf({
      grant: { memoryMb: 64, timeoutMs: 7 },
      projects: { '/': { packs: { slow: { timeoutMs: 90_000, maxProcesses: 3, maxOutputBytes: 5 } } } },
    }),
  ];
  const grants = gatherGrants(files, {}, '/', defaultLimits('oss'));
  expect(grants.longestTimeoutMs).toBe(90_000);
  expect(grants.of(project('slow')).limits).toMatchObject({
    memoryBytes: { value: 64 << 20, origin: { at: '/grant/memoryMb' } },
    timeoutMs: { value: 90_000 },
    maxProcesses: { value: 3 },
    maxOutputBytes: { value: 5 },
  });
  expect(grants.of(project('other')).limits.timeoutMs.value).toBe(7);
  expect(gatherGrants([], {}, '/', defaultLimits('oss')).longestTimeoutMs).toBe(0);
});

test('a pack that the options name may change data beside secrets; the files decide for the others', () => {
  const files = [fileOf({ projects: { '/': { packs: { named: { modifyWithSecrets: true } } } } })];
  const grants = gatherGrants(files, { grants: { modifyWithSecrets: ['said'] } }, '/', defaultLimits('oss'));
  expect(['named', 'said', 'other'].map((name) => grants.of(project(name)).modifyWithSecrets.value)).toEqual([
    true,
    true,
    false,
  ]);
});
