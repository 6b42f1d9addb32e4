import type { Access } from './refusal.ts';

/** Where a call has its path, and what it wants of it. */
interface PathPlace {
  /** Index of the descriptor that a relative path starts from. */
  readonly directory?: number;
  readonly path: number;
  readonly access: (args: readonly string[]) => Access;
}

const reads = (): Access => 'read';
const writes = (): Access => 'write';
const creates = (): Access => 'create';
const executes = (): Access => 'execute';

function plain(access: () => Access, ...names: readonly string[]): [string, readonly PathPlace[]][] {
  return names.map((name) => [name, [{ path: 0, access }]]);
}

function at(access: () => Access, ...names: readonly string[]): [string, readonly PathPlace[]][] {
  return names.map((name) => [name, [{ directory: 0, path: 1, access }]]);
}

const opened =
  (flags: number) =>
  (args: readonly string[]): Access => {
    const text = args[flags] ?? '';
    if (text.includes('O_CREAT')) return 'create';
    return /O_WRONLY|O_RDWR|O_TRUNC/u.test(text) ? 'write' : 'read';
  };

const tested =
  (mode: number) =>
  (args: readonly string[]): Access => {
    const text = args[mode] ?? '';
    if (text.includes('W_OK')) return 'write';
    return text.includes('X_OK') ? 'execute' : 'read';
  };

/** Calls that name a path. What only asks for attributes counts as reading. */
export const pathCalls: ReadonlyMap<string, readonly PathPlace[]> = new Map([
  ['open', [{ path: 0, access: opened(1) }]],
  ['openat', [{ directory: 0, path: 1, access: opened(2) }]],
  ['openat2', [{ directory: 0, path: 1, access: opened(2) }]],
  ['access', [{ path: 0, access: tested(1) }]],
  ['faccessat', [{ directory: 0, path: 1, access: tested(2) }]],
  ['faccessat2', [{ directory: 0, path: 1, access: tested(2) }]],
  ...plain(executes, 'execve'),
  ...at(executes, 'execveat'),
  ...plain(reads, 'stat', 'lstat', 'readlink', 'statfs', 'chdir', 'getxattr', 'lgetxattr'),
  ...at(reads, 'newfstatat', 'fstatat64', 'statx', 'readlinkat'),
  ...plain(writes, 'truncate', 'unlink', 'rmdir', 'chmod', 'chown', 'lchown', 'utime', 'utimes'),
  ...at(writes, 'unlinkat', 'fchmodat', 'fchmodat2', 'fchownat', 'utimensat', 'futimesat'),
  ...plain(creates, 'creat', 'mkdir', 'mknod'),
  ...at(creates, 'mkdirat', 'mknodat'),
  ['symlink', [{ path: 1, access: creates }]],
  ['symlinkat', [{ directory: 1, path: 2, access: creates }]],
  ...['rename', 'link'].map((name): [string, readonly PathPlace[]] => [
    name,
    [
      { path: 0, access: name === 'link' ? reads : writes },
      { path: 1, access: creates },
    ],
  ]),
  ...['renameat', 'renameat2', 'linkat'].map((name): [string, readonly PathPlace[]] => [
    name,
    [
      { directory: 0, path: 1, access: name === 'linkat' ? reads : writes },
      { directory: 2, path: 3, access: creates },
    ],
  ]),
]);

/** Calls that start a process. */
export const forkCalls: ReadonlySet<string> = new Set(['fork', 'vfork', 'clone', 'clone3']);
