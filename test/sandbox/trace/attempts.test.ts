import { describe, expect, test } from 'vitest';

import { Attempts } from '../../../src/sandbox/trace/attempts.ts';
import { CallReader } from '../../../src/sandbox/trace/call-reader.ts';

const begun = `
5  execve("/usr/bin/bwrap", ["bwrap"], 0x1) = 0
6  openat(AT_FDCWD</>, "/etc/shadow", O_RDONLY) = -1 EACCES (Permission denied)
7  execve("/w/hook.sh", ["/w/hook.sh", "/etc/hosts"], 0x1) = 0`;

function attemptsOf(trace: string): Attempts {
  const attempts = new Attempts({
    monitor: 5,
    cwd: '/w',
    searchPath: ['/usr/local/bin', '/usr/bin'],
    isCovered: (path) => path === '/w/.env',
    filtered: new Set(['ptrace']),
    modeCalls: new Set(['chmod']),
  });
  new CallReader(attempts).push(`${begun}\n${trace.trim()}\n`);
  return attempts;
}

const pathsOf = (trace: string) =>
  [...attemptsOf(trace).paths.values()].map(({ path, tried, error, times }) => [path, tried, error, times]);

describe('paths', () => {
  test('of the wall itself are not the program’s', () => {
    expect(pathsOf('5  openat(AT_FDCWD</>, "/etc/shadow", O_RDONLY) = -1 EACCES (Permission denied)')).toEqual([]);
  });

  test.each([
    ['openat(AT_FDCWD</w/sub>, "x", O_RDONLY) = -1 ENOENT (…)', '/w/sub/x', 'read'],
    ['openat(4</srv>, "x", O_WRONLY|O_APPEND) = -1 ENOENT (…)', '/srv/x', 'write'],
    ['openat(AT_FDCWD</w>, "/a/../b", O_WRONLY|O_CREAT, 0666) = -1 ENOENT (…)', '/b', 'create'],
    ['access("x", X_OK) = -1 ENOENT (…)', '/w/x', 'execute'],
    ['faccessat2(AT_FDCWD</w>, "x", R_OK|W_OK, AT_EACCESS) = -1 ENOENT (…)', '/w/x', 'write'],
    ['mkdir("new", 0777) = -1 ENOENT (…)', '/w/new', 'create'],
    ['symlink("target", "/a/link") = -1 ENOENT (…)', '/a/link', 'create'],
    ['unlinkat(AT_FDCWD</w>, "x", 0) = -1 ENOENT (…)', '/w/x', 'write'],
    ['execve("/opt/tool", ["tool"], 0x1) = -1 ENOENT (…)', '/opt/tool', 'execute'],
  ])('%s', (call, path, tried) => {
    expect(pathsOf(`7  ${call}`)).toEqual([[path, tried, 'ENOENT', 1]]);
  });

  test('are counted, not repeated', () => {
    expect(pathsOf('7  stat("x", 0x1) = -1 ENOENT (…)\n7  stat("/w/x", 0x1) = -1 ENOENT (…)')).toEqual([
      ['/w/x', 'read', 'ENOENT', 2],
    ]);
  });

  test('start where the process is, and a new process is where its parent was', () => {
    const trace = `
7  chdir("sub") = 0
7  vfork( <unfinished ...>
9  access("x", R_OK) = -1 ENOENT (…)
7  <... vfork resumed>) = 3
7  fchdir(3</srv>) = 0
7  access("x", R_OK) = -1 ENOENT (…)`;
    expect(pathsOf(trace).map(([path]) => path)).toEqual(['/w/sub/x', '/srv/x']);
  });

  test('of a secret count when they are read with success, for what was read is empty', () => {
    expect(pathsOf('7  openat(AT_FDCWD</w>, ".env", O_RDONLY) = 3</w/.env>\n7  access("/w/a", R_OK) = 0')).toEqual([
      ['/w/.env', 'read', undefined, 1],
    ]);
  });

  test('that fail for their own reasons are none', () => {
    const own = ['EEXIST', 'EISDIR', 'EINVAL', 'ELOOP', 'ENOTEMPTY'];
    expect(pathsOf(own.map((error) => `7  mkdir("x", 0777) = -1 ${error} (…)`).join('\n'))).toEqual([]);
  });

  test('without end are bounded, and that is said', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `7  stat("/a/${index}", 0x1) = -1 ENOENT (…)`);
    const attempts = attemptsOf(lines.join('\n'));
    expect(attempts.paths.size).toBe(1_000);
    expect(attempts.incomplete).toBe(true);
  });
});

describe('programs', () => {
  test('that no directory of PATH holds', () => {
    const trace = `
7  newfstatat(AT_FDCWD</w>, "/usr/local/bin/tig", 0x1, 0) = -1 ENOENT (…)
7  newfstatat(AT_FDCWD</w>, "/usr/bin/tig", 0x1, 0) = -1 ENOENT (…)
7  newfstatat(AT_FDCWD</w>, "/usr/local/bin/cat", 0x1, 0) = -1 ENOENT (…)
7  newfstatat(AT_FDCWD</w>, "/usr/bin/cat", 0x1, 0) = 0`;
    const attempts = attemptsOf(trace);
    expect([...attempts.missingPrograms]).toEqual([['tig', 1]]);
    expect(attempts.paths.size).toBe(0);
  });
});

test('the C library asking for a name service is no socket of the program', () => {
  const asked = '7  socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, 0) = -1 EPERM (…)\n';
  const looked = '7  openat(AT_FDCWD</w>, "/etc/nsswitch.conf", O_RDONLY|O_CLOEXEC) = -1 ENOENT (…)\n';
  const other = '7  openat(AT_FDCWD</w>, "/w/a", O_RDONLY|O_CLOEXEC) = 3</w/a>\n';
  expect([...attemptsOf(`${asked}${asked}${looked}`).sockets]).toEqual([]);
  expect([...attemptsOf(`${asked}${other}${looked}`).sockets]).toEqual([['AF_UNIX', 1]]);
});

test('limits, sockets and calls that the filter refuses', () => {
  const attempts = attemptsOf(`
7  clone(child_stack=NULL, flags=SIGCHLD) = -1 EAGAIN (…)
7  openat(AT_FDCWD</w>, "x", O_RDONLY) = -1 EMFILE (…)
7  write(3</tmp/big>, "…"..., 4096) = -1 EFBIG (…)
7  write(4</tmp/full>, "…"..., 4096) = -1 ENOSPC (…)
7  socket(AF_INET6, SOCK_STREAM, 0) = -1 EPERM (…)
7  ptrace(PTRACE_TRACEME) = -1 EPERM (…)
7  ioctl(0, TIOCSTI, "x") = -1 EPERM (…)
7  clone(child_stack=NULL, flags=CLONE_NEWUSER|SIGCHLD) = -1 EPERM (…)
7  clone3({flags=CLONE_VM}, 88) = -1 ENOSYS (…)
7  chmod("x", 04755) = -1 EPERM (…)
7  --- SIGSYS {si_signo=SIGSYS} ---`);
  expect([...attempts.limits.keys()]).toEqual([
    'maxProcesses',
    'maxOpenFiles',
    'maxFileBytes /tmp/big',
    'tmpBytes /tmp/full',
  ]);
  expect([...attempts.sockets]).toEqual([['AF_INET6', 1]]);
  expect([...attempts.syscalls.keys()]).toEqual([
    'ptrace',
    'ioctl TIOCSTI',
    'clone with new namespaces',
    'chmod with a set-user-ID mode',
    'a system call of another architecture',
  ]);
  expect(attempts.paths.size).toBe(0);
});
