import { chmodSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { Policy, Program } from '../../../src/sandbox/policy.ts';
import { viewFacts } from '../../../src/sandbox/view/facts.ts';
import { viewMounts } from '../../../src/sandbox/view/mounts.ts';
import { privateProcFiles } from '../../../src/sandbox/view/proc-facts.ts';
import { writeStaticFiles } from '../../../src/sandbox/view/static-files.ts';
import { systemFacts } from '../../../src/sandbox/view/system-facts.ts';
import { factsOf, plant, policyOf, scratchDirectory } from '../../support/view.ts';

async function codeOf(
  policy: Partial<Policy>,
  home = '/home/someone',
  overlays: Program['overlays'] = [],
): Promise<string> {
  const facts = await viewFacts(
    policyOf(policy),
    { overlays },
    systemFacts('/', home),
    writeStaticFiles(scratchDirectory()),
  );
  return 'ok' in facts ? facts.code : 'fine';
}

const program: Program = { argv: ['/bin/true'], cwd: '/', binds: [] };

describe('paths that cannot be granted', () => {
  test.each<[string, string]>([
    ['/', 'path_too_broad'],
    ['/tmp', 'path_too_broad'],
    ['/home', 'path_missing|path_too_broad'],
    ['/proc/self', 'path_too_broad'],
    ['/etc', 'path_too_broad'],
    ['/dev/null', 'path_special'],
    ['/usr', 'write_system'],
    ['/var', 'write_too_broad'],
    ['/var/lib', 'path_missing|write_too_broad'],
    ['/var/lib/dpkg', 'path_missing|write_system'],
    ['/srv', 'path_missing|write_too_broad'],
    ['/nonexistent/x', 'path_missing'],
    ['/a\0b', 'path_missing'],
  ])('writing %j: %s', async (path, code) => {
    expect(await codeOf({ writePaths: [path] })).toMatch(new RegExp(`^(?:${code})$`));
  });

  test('the home directory, what holds the project, configuration, sockets', async () => {
    const home = plant(scratchDirectory(), { 'p/src/': '', 'p/.git/hooks/': '', 'p/agent.json': '{}', 'p/link/': '' });
    const projectRoot = join(home, 'p');
    symlinkSync('../.git', join(projectRoot, 'src/git'));
    const write = (path: string) => codeOf({ projectRoot, project: 'read', writePaths: [join(home, path)] }, home);
    expect(await write('.')).toBe('write_too_broad');
    expect(await codeOf({ projectRoot, project: 'read', writePaths: [home] }, '/home/x')).toBe('write_too_broad');
    for (const path of ['p/.git', 'p/.git/hooks', 'p/agent.json', 'p/src/git'])
      expect(await write(path)).toBe('write_configuration');
    for (const path of ['p', 'p/src']) expect(await write(path)).toBe('fine');
    const server = createServer().listen(join(home, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await codeOf({ readPaths: [join(home, 'socket')] })).toBe('path_special');
    server.close();
  });

  test('project files that lead out of the project', async () => {
    const projectRoot = scratchDirectory();
    symlinkSync('/etc/alternatives', join(projectRoot, 'link'));
    const files = (projectFiles: string[]) => codeOf({ project: 'files', projectRoot, projectFiles });
    expect(await files(['link'])).toBe('file_escapes');
    expect(await files(['../../etc/alternatives'])).toBe('file_escapes');
    expect(await files(['missing'])).toBe('path_missing');
    expect(await codeOf({ project: 'files', projectFiles: [] })).toBe('no_project');
  });

  test('too many secrets, and a search that was cut', async () => {
    const names = Array.from({ length: 501 }, (_, index) => [`keys/${index}.pem`, ''] as const);
    const projectRoot = plant(scratchDirectory(), Object.fromEntries(names));
    expect(await codeOf({ project: 'read', projectRoot })).toBe('too_many_secrets');
    const deep = plant(scratchDirectory(), { [`${'d/'.repeat(14)}.env`]: '' });
    const facts = await factsOf(policyOf({ project: 'read', projectRoot: deep }));
    expect(facts.notes).toEqual([expect.stringContaining('too large to be searched')]);
  });
});

test('a directory with more entries than can be shown one by one, on the way to a pinned file', async () => {
  const names = Array.from({ length: 1_025 }, (_, index) => [`many/${index}`, ''] as const);
  const projectRoot = plant(scratchDirectory(), { ...Object.fromEntries(names), 'few/check.sh': '' });
  const overlay = (name: string) => [{ source: '/x', target: join(projectRoot, name) }];
  const policy = { project: 'read', projectRoot } as const;
  expect(await codeOf(policy, undefined, overlay('many/1'))).toBe('read_too_large');
  expect(await codeOf(policy, undefined, overlay('few/check.sh'))).toBe('fine');
  const files = { project: 'files', projectRoot, projectFiles: ['many/1'] } as const;
  expect(await codeOf(files, undefined, overlay('many/1'))).toBe('fine');
});

test('naming a secret file is a grant of it', async () => {
  const projectRoot = plant(scratchDirectory(), { '.env': '', 'sub/.env': '' });
  const facts = await factsOf(policyOf({ project: 'read', projectRoot, readPaths: [join(projectRoot, '.env')] }));
  expect(facts.covers.map(({ target }) => target)).toEqual([join(projectRoot, 'sub/.env')]);
});

test('the order of mounts: outer before inner, programs and covers after grants, read-only roots last', async () => {
  const projectRoot = plant(scratchDirectory(), { 'a/b/c/x': '', 'a/.env': '', '.git/HEAD': '' });
  const path = (name: string) => join(projectRoot, name);
  const policy = policyOf({
    project: 'read',
    projectRoot,
    readPaths: [path('a/b/c')],
    writePaths: [path('a/b'), projectRoot],
  });
  const mounts = viewMounts(policy, { ...program, binds: [path('a/b/c/x'), '/usr/bin/true'] }, await factsOf(policy));
  const shown = mounts
    .filter(({ target }) => target.startsWith(projectRoot))
    .map(({ type, target }) => `${type} ${target.slice(projectRoot.length)}`);
  // A directory bound onto itself twice stays what it was; what is read-only comes after.
  expect(shown).toEqual([
    'ro-bind ',
    'tmpfs ',
    'ro-bind /.git',
    'bind /a',
    'bind /a',
    'bind /a/b',
    'bind /a/b/c',
    'bind /a/b',
    'bind /a/b/c',
    'ro-bind /a/b/c',
    'ro-bind /a/b/c/x',
    'ro-bind /a/.env',
    'remount-ro ',
  ]);
  expect(mounts.slice(-2)).toEqual([
    { type: 'remount-ro', target: '/dev' },
    { type: 'remount-ro', target: '/' },
  ]);
});

test('files of /etc for name lookup and TLS appear with network only', async () => {
  const policy = policyOf();
  const facts = await factsOf(policy);
  const etc = (network: 'none' | 'host') =>
    viewMounts({ ...policy, network }, program, facts)
      .map(({ target }) => target)
      .filter((target) => target.startsWith('/etc/'));
  expect(etc('none')).toContain('/etc/passwd');
  expect(etc('none')).not.toContain('/etc/resolv.conf');
  expect(etc('none')).not.toContain('/etc/ssl/certs');
  expect(etc('host').length).toBeGreaterThan(etc('none').length);
  for (const secret of ['/etc/shadow', '/etc/ssh', '/etc/ssl/private', '/etc'])
    expect(etc('host')).not.toContain(secret);
});

describe('recorded systems', () => {
  test('a merged system has links, an unmerged one directories', () => {
    const merged = plant(scratchDirectory(), {
      'usr/bin/': '',
      'usr/lib/': '',
      'etc/alternatives/': '',
      'etc/shadow': '',
    });
    symlinkSync('usr/bin', join(merged, 'bin'));
    symlinkSync('/usr/lib', join(merged, 'lib'));
    symlinkSync('/usr/share/zoneinfo/Etc/UTC', join(merged, 'etc/localtime'));
    expect(systemFacts(merged, '/home/x')).toMatchObject({
      topLevel: [
        { path: '/bin', linkTo: 'usr/bin' },
        { path: '/lib', linkTo: '/usr/lib' },
      ],
      etc: ['/etc/alternatives'],
      localtimeLink: '/usr/share/zoneinfo/Etc/UTC',
      needsNixStore: false,
      home: '/home/x',
    });
    const apart = plant(scratchDirectory(), { 'bin/': '', 'lib64/': '', 'etc/localtime': 'TZif' });
    expect(systemFacts(apart, '/home/x')).toMatchObject({
      topLevel: [{ path: '/bin' }, { path: '/lib64' }],
      etc: ['/etc/localtime'],
    });
    expect(systemFacts(apart, '/home/x').localtimeLink).toBeUndefined();
  });

  test('files of /proc that only root may read are shown empty to its children', () => {
    const proc = plant(scratchDirectory(), { '1/environ': '', 'sys/x': '', cpuinfo: '', kmsg: '' });
    symlinkSync('self/mounts', join(proc, 'mounts'));
    chmodSync(join(proc, 'kmsg'), 0o400);
    expect(privateProcFiles(proc)).toEqual(['/proc/kmsg']);
  });
});
