import { existsSync, readFileSync } from 'node:fs';
import { DENIED, MODE_CALLS } from '../seccomp/syscalls.ts';
import { forkCalls } from './path-calls.ts';

/** Places of the system alone: what stands on `PATH` may belong to somebody else. */
const places = ['/usr/bin/strace', '/bin/strace', '/usr/local/bin/strace'];

/** Why a run cannot be traced here, and what to do. */
export interface Untraceable {
  readonly why: string;
  readonly remedy: string;
}

export const straceMissing: Untraceable = {
  why: 'strace is not installed',
  remedy: 'install it: apt-get install strace (Debian, Ubuntu), dnf install strace (Fedora), apk add strace (Alpine)',
};

/** The path of strace; `undefined` when it is not installed. */
export function findStrace(): string | undefined {
  return places.find((place) => existsSync(place));
}

/**
 * The command line in front of the program to trace. `-D`: the program stays our child and the tracer is a process beside
 * it, which the program allows to trace it; so this works where only a process's parents may (Yama's level 1). No
 * `--seccomp-bpf`: calls that another filter refuses would not be seen.
 */
export function straceCommand(strace: string, output: string): readonly string[] {
  const calls = [
    '%file',
    'socket',
    'socketpair',
    'ioctl',
    'fchdir',
    'dup',
    'pipe',
    'pipe2',
    'write',
    'pwrite64',
    'writev',
  ];
  // With `?`, a call that this processor or this strace does not know is passed over.
  const rare = [...forkCalls, ...Object.keys(DENIED), ...Object.keys(MODE_CALLS)].map((name) => `?${name}`);
  const trace = [...calls.map((name) => (name.startsWith('%') ? name : `?${name}`)), ...rare].join(',');
  return [strace, '-D', '-f', '-qq', '-y', '-s', '512', '-o', output, '-e', `trace=${trace}`];
}

/** Names the reason why strace could not start to trace, by what it said and what the machine says. */
export function classifyUntraceable(said: string, yama: string | undefined = readYama()): Untraceable {
  const first = said.trim().split('\n')[0] ?? '';
  const why = `strace could not trace the program${first === '' ? '' : ` (${first})`}`;
  if (yama === '2' || yama === '3') {
    const setting = `kernel.yama.ptrace_scope = ${yama} forbids it`;
    const remedy =
      yama === '2'
        ? 'run as root, or: sysctl -w kernel.yama.ptrace_scope=1'
        : 'set it to 1 and restart the machine: 3 cannot be undone while it runs';
    return { why: `${why}: ${setting}`, remedy };
  }
  return {
    why,
    remedy: 'in a container, start it with --cap-add SYS_PTRACE; else see whether `strace -f /bin/true` works here',
  };
}

function readYama(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'latin1').trim();
  } catch {
    return undefined;
  }
}
