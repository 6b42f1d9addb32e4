import { expect, test } from 'vitest';

import { bubblewrapArguments, encodeArguments, type BubblewrapInput } from '../../src/sandbox/bubblewrap-arguments.ts';
import type { Mount } from '../../src/sandbox/view/mounts.ts';

const input: BubblewrapInput = { mounts: [], env: {}, cwd: '/', network: 'none', descriptors: {} };

test('the wall, whatever the policy says', () => {
  const wall = bubblewrapArguments(input).join(' ');
  expect(wall).toBe(
    '--unshare-user --uid 65534 --gid 65534 --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup ' +
      '--cap-drop ALL --new-session --die-with-parent --hostname sandbox --unshare-net --clearenv --chdir /',
  );
  expect(bubblewrapArguments({ ...input, network: 'host' })).not.toContain('--unshare-net');
});

test('mounts in order, environment after it was cleared, descriptors', () => {
  const mounts: Mount[] = [
    { type: 'ro-bind', source: '/a', target: '/b' },
    { type: 'bind', source: '/c', target: '/c' },
    { type: 'tmpfs', target: '/tmp', bytes: 4096 },
    { type: 'symlink', linkTo: 'usr/bin', target: '/bin' },
    { type: 'proc', target: '/proc' },
    { type: 'dev', target: '/dev' },
    { type: 'remount-ro', target: '/' },
  ];
  const options = bubblewrapArguments({
    ...input,
    mounts,
    env: { A: '1 2' },
    descriptors: { seccomp: 7, jsonStatus: 8 },
  });
  expect(options.slice(options.indexOf('--clearenv'))).toEqual(
    [
      ['--clearenv', '--setenv', 'A', '1 2', '--ro-bind', '/a', '/b', '--bind', '/c', '/c'],
      ['--size', '4096', '--tmpfs', '/tmp', '--symlink', 'usr/bin', '/bin', '--proc', '/proc', '--dev', '/dev'],
      ['--remount-ro', '/', '--chdir', '/', '--seccomp', '7', '--json-status-fd', '8'],
    ].flat(),
  );
});

test.each<[string, Mount[], string]>([
  ['in a bind', [{ type: 'ro-bind', source: '/p', target: '/p' }], '/p/a'],
  ['made on the way to a mount point', [{ type: 'ro-bind', source: '/p/a/x', target: '/p/a/x' }], '/p/a'],
  ['nowhere', [{ type: 'remount-ro', target: '/' }], '/'],
  ['in scratch space, where it is not made', [{ type: 'tmpfs', target: '/p', bytes: 1 }], '/'],
])('the working directory is %s', (_, mounts, expected) => {
  const options = bubblewrapArguments({ ...input, mounts, cwd: '/p/a' });
  expect(options.at(options.indexOf('--chdir') + 1)).toBe(expected);
});

test('options are ended by NUL and hold none', () => {
  expect(new TextDecoder().decode(encodeArguments(['--a', 'ü']))).toBe('--a\0ü\0');
  expect(() => encodeArguments(['a\0--bind'])).toThrow('NUL');
});
