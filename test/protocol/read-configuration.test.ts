import { describe, expect, it, test } from 'vitest';
import { readConfiguration } from '../../src/protocol/index.ts';

const file = '/etc/hookcell/config.json';
const read = (value: unknown) => readConfiguration(JSON.stringify(value), file);

test('everything that an operator can say is read', () => {
  const grant = {
    project: 'files',
    network: 'host',
    env: ['CI'],
    read: ['/data', 'fixtures'],
    write: ['/out'],
    reveal: ['/hook/data/input/token'],
    modifyWithSecrets: true,
    approve: false,
    timeoutMs: 1,
    memoryMb: 1,
    maxProcesses: 1,
    maxOutputBytes: 1,
  };
  const configuration = {
    $schema: 'config.schema.json',
    version: 1,
    profile: 'managed',
    backend: 'bubblewrap',
    killSwitch: 'forbid',
    secrets: ['GITHUB_TOKEN'],
    organizationPacks: ['/etc/hookcell/packs'],
    grant,
    organization: { audit: grant },
    projects: { '/repo/app': { grant, packs: { quality: grant } }, '/repo/other': {} },
  };
  expect(read(configuration)).toMatchObject({ ok: true, configuration });
});

describe('a mistake is refused', () => {
  it.each<[string, object, string, string]>([
    ['no version', {}, '/version', 'is missing'],
    ['a later version', { version: 2 }, '/version', 'expected 1'],
    ['an unknown key', { version: 1, grants: {} }, '/grants', 'did you mean "grant"?'],
    ['a key deep in a project', project({ network: 'host', netwrok: 'host' }), `${quality}/netwrok`, '"network"?'],
    ['a relative project', { version: 1, projects: { app: {} } }, '/projects/app', 'absolute path of a project'],
    ['a home', { version: 1, projects: { '~/app': {} } }, '/projects/~0~1app', 'not expanded'],
    ['a grant that is none', project('all'), quality, 'expected an object'],
    ['an unknown view', project({ project: 'write' }), `${quality}/project`, '"none" or "files" or "read"'],
    ['an environment value', project({ env: ['CI=1'] }), `${quality}/env/0`, 'without a value'],
    ['a loader variable', project({ env: ['LD_PRELOAD'] }), `${quality}/env/0`, 'may enter the sandbox'],
    ['a fixed variable', project({ env: ['PATH'] }), `${quality}/env/0`, 'may enter the sandbox'],
    ['our own variable', project({ env: ['HOOKCELL_DEPTH'] }), `${quality}/env/0`, 'may enter the sandbox'],
    ['a home path', project({ write: ['~/out'] }), `${quality}/write/0`, 'not expanded'],
    ['no limit', project({ timeoutMs: 0 }), `${quality}/timeoutMs`, 'every hook has one'],
    ['a limit in quotes', project({ memoryMb: '64' }), `${quality}/memoryMb`, 'without quotes'],
    ['a pointer to nothing', project({ reveal: ['/'] }), `${quality}/reveal/0`, 'JSON Pointer'],
    ['a relative organization pack', { version: 1, organizationPacks: ['packs'] }, '/organizationPacks/0', 'absolute'],
    ['half a kill switch', { version: 1, killSwitch: 'off' }, '/killSwitch', '"allow" or "forbid"'],
  ])('%s', (_what, value, pointer, words) => {
    const result = read(value);
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.findings).toMatchObject([{ file, pointer, line: 1 }]);
    expect(result.findings[0]?.message).toContain(words);
  });

  it('with its line and column, in the order of the text', () => {
    const text = '{\n  "version": 1,\n  "backend": "docker",\n  "grant": { "env": [7] }\n}\n';
    expect(readConfiguration(text, file)).toMatchObject({
      ok: false,
      findings: [
        { pointer: '/backend', line: 3, column: 14 },
        { pointer: '/grant/env/0', line: 4, column: 22 },
      ],
    });
  });

  it.each(['', '[]', '{"version":1} // ours', '{"version":1,"version":1}', '{"version":1,"__proto__":{}}'])(
    'as JSON: %s',
    (text) => expect(readConfiguration(text, file)).toMatchObject({ ok: false, findings: [{ file }] }),
  );
});

test('the place of a grant can be told', () => {
  const text = '{\n  "version": 1,\n  "grant": {\n    "network": "host"\n  }\n}\n';
  const result = readConfiguration(text, file);
  if (!result.ok) throw new Error('expected a configuration');
  expect(result.positionOf(['grant', 'network'])).toEqual({ line: 4, column: 16 });
});

const quality = '/projects/~1repo~1app/packs/quality';

function project(grant: unknown): object {
  return { version: 1, projects: { '/repo/app': { packs: { quality: grant } } } };
}
