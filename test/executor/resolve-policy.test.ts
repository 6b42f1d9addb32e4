import { describe, expect, test } from 'vitest';
import type { Grant } from '../../src/executor/resolve-policy.ts';
import { resolvePolicy } from '../../src/executor/resolve-policy.ts';
import type { SandboxRequest } from '../../src/protocol/index.ts';

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
const nothing: Grant = {
  project: 'read',
  readPaths: [],
  writePaths: [],
  network: 'none',
  env: {},
  limits,
  explicitLimits: new Set(),
};
const setting = {
  projectRoot: '/project',
  projectFiles: ['/project/a'],
  realPath: (path: string) => (path.includes('missing') ? undefined : path.startsWith('/') ? path : `/project/${path}`),
};
const resolve = (request: SandboxRequest, grant: Partial<Grant> = {}) =>
  resolvePolicy(request, { ...nothing, ...grant }, setting);

test('asking for nothing gives the default: project read and nothing else', () => {
  expect(resolve({})).toEqual({
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

describe('a request beyond the grant is untrusted, with the flag that would grant it', () => {
  test.each<[string, SandboxRequest, Partial<Grant>]>([
    ['--network host', { network: 'host' }, {}],
    ['--env TOKEN', { env: ['TOKEN'] }, {}],
    ['--env toString', { env: ['toString'] }, {}],
    ['--write out', { write: ['out'] }, {}],
    ['--read /data', { read: ['/data'] }, {}],
    ['--read /granted-not', { read: ['/granted-not'] }, { readPaths: ['/granted'] }],
    ['--write /granted', { write: ['/granted'] }, { readPaths: ['/granted'] }],
    ['--project read', { project: 'read' }, { project: 'files' }],
    ['--project files', { project: 'files' }, { project: 'none' }],
    ['--memory-mb 1024', { memoryMb: 1024 }, {}],
    ['--max-processes 65', { maxProcesses: 65 }, {}],
    ['--max-output-bytes 1001', { maxOutputBytes: 1001 }, {}],
  ])('%s', (flag, request, grant) => {
    expect(resolve(request, grant)).toEqual({
      ok: false,
      cause: 'untrusted',
      message: expect.stringMatching(new RegExp(`${flag}$`, 'u')),
    });
  });

  test('all of them at once', () => {
    expect(resolve({ network: 'host', env: ['A', 'B'] })).toMatchObject({
      message: expect.stringContaining('--network host --env A --env B'),
    });
  });
});

describe('the grant alone gives nothing', () => {
  test('network, names and paths must be asked for', () => {
    const result = resolve({}, { network: 'host', env: { TOKEN: 'x' }, readPaths: ['/data'], writePaths: ['/out'] });
    expect(result).toMatchObject({ policy: { network: 'none', env: {}, readPaths: [], writePaths: [] } });
  });

  test('and what is asked for and granted is given', () => {
    const grant: Partial<Grant> = {
      network: 'host',
      env: { TOKEN: 'x', OTHER: 'y' },
      readPaths: ['/data'],
      writePaths: ['/out'],
    };
    const result = resolve({ network: 'host', env: ['TOKEN'], read: ['/data/deep', 'inside'], write: ['/out'] }, grant);
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
  expect(resolve({}, { explicitLimits: new Set(['memoryBytes', 'timeoutMs']) })).toMatchObject({
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
