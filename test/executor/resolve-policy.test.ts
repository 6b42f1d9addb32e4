import { describe, expect, test } from 'vitest';
import type { EffectiveGrant } from '../../src/executor/operator/effective-grant.ts';
import { combineGrants } from '../../src/executor/operator/effective-grant.ts';
import type { GrantSource } from '../../src/executor/operator/effective-grant.ts';
import type { Request } from '../../src/executor/resolve-policy.ts';
import { resolvePolicy } from '../../src/executor/resolve-policy.ts';

const limits = {
  timeoutMs: 5_000,
  maxOutputBytes: 1_000,
  keepStderrBytes: 100,
  maxStderrBytes: 1_000,
  memoryBytes: 512 << 20,
  maxProcesses: 64,
  maxOpenFiles: 256,
  maxFileBytes: 1_000,
  tmpBytes: 1_000,
};
const setting = {
  projectRoot: '/project',
  projectFiles: ['/project/a'],
  realPath: (path: string) => (path.includes('missing') ? undefined : path.startsWith('/') ? path : `/project/${path}`),
  environment: { TOKEN: 'x', OTHER: 'y' },
  file: '/project/.hookcell/hooks/quality.json',
  grantor: { file: '/home/me/config.json', path: ['projects', '/project', 'packs', 'quality'] },
};
const origin = { from: 'user file', at: '/home/me/config.json:1:1' } as const;
type Said = Partial<Omit<GrantSource, 'readPaths' | 'writePaths'>> & {
  readonly readPaths?: readonly string[];
  readonly writePaths?: readonly string[];
};

const sourced = (list: readonly string[]) => list.map((value) => ({ value, origin }));

function grantOf({ readPaths = [], writePaths = [], ...said }: Said): EffectiveGrant {
  const source: GrantSource = {
    level: 'file',
    limits: {},
    originOf: () => origin,
    ...said,
    readPaths: sourced(readPaths),
    writePaths: sourced(writePaths),
  };
  return combineGrants([source], limits);
}

const resolve = (request: Request, said: Said = {}) => resolvePolicy(request, grantOf(said), setting);

test('asking for nothing gives the default: project read and nothing else', () => {
  expect(resolve({})).toMatchObject({
    ok: true,
    policy: {
      project: 'read',
      projectRoot: '/project',
      projectFiles: [],
      readPaths: [],
      writePaths: [],
      network: 'none',
      env: {},
      limits,
      require: [],
    },
  });
});

describe('a request beyond the grant is untrusted, with the flag and the line that would grant it', () => {
  test.each<[string, Request, Said, object]>([
    ['--network host', { network: 'host' }, {}, { network: 'host' }],
    ['--env TOKEN', { env: ['TOKEN'] }, {}, { env: ['TOKEN'] }],
    ['--env toString', { env: ['toString'] }, {}, { env: ['toString'] }],
    ['--write out', { write: ['out'] }, {}, { write: ['out'] }],
    ['--read /data', { read: ['/data'] }, {}, { read: ['/data'] }],
    ['--read /granted-not', { read: ['/granted-not'] }, { readPaths: ['/granted'] }, { read: ['/granted-not'] }],
    ['--write /granted', { write: ['/granted'] }, { readPaths: ['/granted'] }, { write: ['/granted'] }],
    ['--project read', { project: 'read' }, { project: 'files' }, { project: 'read' }],
    ['--project files', { project: 'files' }, { project: 'none' }, { project: 'files' }],
    ['--memory-mb 1024', { memoryMb: 1024 }, {}, { memoryMb: 1024 }],
    ['--max-processes 65', { maxProcesses: 65 }, {}, { maxProcesses: 65 }],
    ['--max-output-bytes 1001', { maxOutputBytes: 1001 }, {}, { maxOutputBytes: 1001 }],
    ['--reveal /hook/data/a', { reveal: ['/hook/data/a'] }, { reveal: ['/hook/data/b'] }, { reveal: ['/hook/data/a'] }],
    ["--write 'my out'", { write: ['my out'] }, {}, { write: ['my out'] }],
    ["--write 'it'\\''s; rm -rf /'", { write: ["it's; rm -rf /"] }, {}, { write: ["it's; rm -rf /"] }],
    ['--env A --env B', { env: ['A', 'B'] }, {}, { env: ['A', 'B'] }],
  ])('%s', (flag, request, said, grant) => {
    const line = { version: 1, projects: { '/project': { packs: { quality: grant } } } };
    const result = resolve(request, said);
    expect(result).toMatchObject({ ok: false, cause: 'untrusted' });
    expect(result).toHaveProperty(
      'message',
      expect.stringContaining(`to grant it: ${flag} (once), or in /home/me/config.json: ${JSON.stringify(line)}`),
    );
  });

  test('where flags are read elsewhere than in the project, with paths that hold there', () => {
    const elsewhere = { ...setting, grantor: { path: [], projectRoot: '/project' } };
    expect(resolvePolicy({ write: ['out', '/data'], env: ['A'] }, grantOf({}), elsewhere)).toHaveProperty(
      'message',
      expect.stringContaining('to grant it: --env A --write /project/out --write /data'),
    );
  });

  test('without a configuration file, the flags alone', () => {
    const alone = { ...setting, grantor: { path: [] } };
    expect(resolvePolicy({ network: 'host' }, grantOf({}), alone)).toHaveProperty(
      'message',
      'asks for more than the operator grants: network "host"; to grant it: --network host',
    );
  });
});

describe('the grant alone gives nothing', () => {
  test('network, names and paths must be asked for', () => {
    const result = resolve({}, { network: 'host', env: ['TOKEN'], readPaths: ['/data'], writePaths: ['/out'] });
    expect(result).toMatchObject({ policy: { network: 'none', env: {}, readPaths: [], writePaths: [] } });
  });

  test('and what is asked for and granted is given', () => {
    const said: Said = {
      network: 'host',
      env: ['TOKEN', 'OTHER'],
      readPaths: ['/data'],
      writePaths: ['/out'],
    };
    const result = resolve({ network: 'host', env: ['TOKEN'], read: ['/data/deep', 'inside'], write: ['/out'] }, said);
    expect(result).toMatchObject({
      policy: {
        network: 'host',
        env: { TOKEN: 'x' },
        readPaths: ['/data/deep', '/project/inside'],
        writePaths: ['/out'],
      },
    });
  });
});

test('less than the default is given, and required', () => {
  const result = resolve({ memoryMb: 64, maxProcesses: 4, project: 'files' });
  expect(result).toMatchObject({
    policy: {
      project: 'files',
      projectFiles: ['/project/a'],
      limits: { memoryBytes: 64 << 20, maxProcesses: 4 },
      require: ['memoryBytes', 'maxProcesses'],
    },
  });
});

test('limits that the operator set are required too', () => {
  expect(resolve({}, { limits: { memoryBytes: 512 << 20, timeoutMs: 1 } })).toMatchObject({
    policy: { require: ['memoryBytes'] },
  });
});

test('a path that does not exist is said so', () => {
  expect(resolve({ read: ['missing'] })).toMatchObject({
    ok: false,
    cause: 'sandbox_setup_failed',
    message: expect.stringContaining('missing'),
  });
});

test('a granted name that the host does not set is not set inside', () => {
  const said = { env: ['TOKEN', 'UNSET', 'toString'] };
  expect(resolve({ env: said.env }, said)).toMatchObject({ ok: true, policy: { env: { TOKEN: 'x' } } });
  const result = resolve({ env: said.env }, said);
  expect(result.ok && Object.keys(result.policy.env)).toEqual(['TOKEN']);
});

describe('every effective value knows where it came from', () => {
  const pack = { from: 'pack request', at: setting.file };
  const byDefault = { from: 'default' };
  test.each<[string, Request, Said, object]>([
    ['a default', {}, {}, { key: 'network', value: 'none', origin: byDefault }],
    ['what nobody asked for', {}, { network: 'host' }, { key: 'network', value: 'none', origin: byDefault }],
    [
      'a request that was granted',
      { network: 'host' },
      { network: 'host' },
      { key: 'network', value: 'host', origin: pack, grantedBy: origin },
    ],
    ['a view that the operator set', {}, { project: 'files' }, { key: 'project', value: 'files', origin }],
    [
      'less than the default',
      { project: 'none' },
      {},
      { key: 'project', value: 'none', origin: pack, grantedBy: byDefault },
    ],
    ['a name', { env: ['TOKEN'] }, { env: ['TOKEN'] }, { key: 'env', value: 'TOKEN', origin: pack, grantedBy: origin }],
    [
      'a path below a granted one',
      { write: ['/out/deep'] },
      { writePaths: ['/out'] },
      { key: 'write', value: '/out/deep', origin: pack, grantedBy: origin },
    ],
    [
      'a path of the project, which is seen in any case',
      { read: ['in'] },
      {},
      { key: 'read', value: '/project/in', origin: pack, grantedBy: byDefault },
    ],
    [
      'a reveal',
      { reveal: ['/hook/data/a/b'] },
      { reveal: ['/hook/data/a'] },
      { key: 'reveal', value: '/hook/data/a/b', origin: pack, grantedBy: origin },
    ],
    ['a timeout of its own', { timeoutMs: 7 }, {}, { key: 'timeoutMs', value: 7, origin: pack }],
    ['a limit that the operator set', {}, { limits: { memoryBytes: 9 } }, { key: 'memoryBytes', value: 9, origin }],
    [
      'a limit that it asked for',
      { memoryMb: 1 },
      {},
      { key: 'memoryBytes', value: 1 << 20, origin: pack, grantedBy: byDefault },
    ],
    ['what only the operator says', {}, { approve: true }, { key: 'approve', value: true, origin }],
  ])('%s', (_what, request, said, value) => {
    const result = resolve(request, said);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.effective).toContainEqual(value);
  });
});

describe('a file of secrets that a pack names is not granted by what holds it: naming it takes its cover away', () => {
  const secrets = [
    '.env',
    'deep/.npmrc',
    '.aws/credentials',
    '.ssh',
    '.ssh/config',
    '.git/config',
    '.git/modules/lib/config',
    'bare.git/config',
  ];

  test.each(secrets)('%s', (name) => {
    for (const said of [{}, { readPaths: ['/project'] }, { writePaths: ['/project'] }])
      expect(resolve({ read: [name] }, said)).toMatchObject({
        ok: false,
        message: expect.stringContaining(`--read ${name}`),
      });
    expect(resolve({ write: [name] }, { writePaths: ['/project'] })).toMatchObject({ ok: false, cause: 'untrusted' });
    expect(resolve({ read: [name] }, { readPaths: [`/project/${name}`] })).toMatchObject({ ok: true });
  });

  test('what is no secret is granted by what holds it', () => {
    for (const name of ['.', 'config', '.git', '.env.example', 'deep/.aws', 'cacert.pem'])
      expect([name, resolve({ read: [name === '.' ? '/project' : name] })]).toMatchObject([name, { ok: true }]);
  });
});

test('a missing path that nobody granted hides no other request, nor itself: all is said at once', () => {
  const found = resolve({ network: 'host', write: ['missing'] });
  expect(found).toMatchObject({ ok: false, cause: 'untrusted' });
  const message = found.ok ? '' : found.message;
  expect(message).toContain('paths that do not exist: missing');
  expect(message).toContain('network "host", write "missing"');
});
