import { assemble, type Statement } from './bpf.ts';
import { AUDIT_ARCH, DENIED, INSPECTED, MODE_CALLS, type ModeCall, type SeccompArch } from './syscalls.ts';

export interface SeccompOptions {
  readonly arch: SeccompArch;
  /** `none`: no socket of any family. `host`: IPv4 and IPv6 sockets. */
  readonly network: 'none' | 'host';
}

// Offsets in struct seccomp_data. Arguments are 64 bits wide, little endian; only their low words are compared,
// since the kernel looks at no more of them: a high word must never make a denied value look different.
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number): number => 16 + 8 * index;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const ERRNO = 0x0005_0000;
const EPERM = 1;
const ENOSYS = 38;

const X32_BIT = 0x4000_0000;

/**
 * CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}. CLONE_NEWTIME is no flag of `clone`: its bit is part of the exit signal.
 */
const CLONE_NEW_ANY = 0x7e02_0000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const SOCKET_TYPE_MASK = 0xf;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
const O_CREAT_OR_TMPFILE = 0o20000100;
const S_ISUID_OR_ISGID = 0o6000;
const PERSONALITY_LINUX = 0;
const PERSONALITY_QUERY = 0xffff_ffff;

/**
 * The system call filter of one sandbox as an array of `struct sock_filter` (8 bytes each, little endian), ready to be
 * written to the descriptor of `bwrap --seccomp FD`. Everything is allowed but what is named here, for an allow-list
 * breaks interpreters from one libc to the next.
 *
 * @example
 * const filter = seccompProgram({ arch: 'x64', network: 'none' });
 */
export function seccompProgram(options: SeccompOptions): Uint8Array {
  const { arch, network } = options;
  const denied = Object.values(DENIED).flatMap((numbers) => numbers[arch] ?? []);
  const modeCalls = Object.values(MODE_CALLS);
  const modeNumbers = modeCalls.flatMap((call) => call.numbers[arch] ?? []);
  return assemble([
    load(ARCH),
    unless(AUDIT_ARCH[arch], 'kill'),
    load(NUMBER),
    // x32 shares the architecture value with x86-64 and would pass every comparison below.
    ...(arch === 'x64' ? [{ op: 'jump-if', test: 'at-least', value: X32_BIT, match: 'kill' } as const] : []),
    ...denied.map((number) => when(number, 'eperm')),
    // Their arguments lie in memory, where no filter sees them; libc falls back to calls with plain ones.
    when(INSPECTED.clone3[arch], 'enosys'),
    when(INSPECTED.openat2[arch], 'enosys'),
    when(INSPECTED.clone[arch], 'clone'),
    when(INSPECTED.ioctl[arch], 'ioctl'),
    when(INSPECTED.personality[arch], 'personality'),
    when(INSPECTED.socket[arch], network === 'host' ? 'socket' : 'eperm'),
    ...modeNumbers.map((number) => when(number, `mode-of-${number}`)),
    // The last comparison decides both ways.
    when(INSPECTED.socketpair[arch], 'socketpair', 'allow'),

    label('clone'),
    load(argument(0)),
    and(CLONE_NEW_ANY),
    when(0, 'allow', 'eperm'),

    label('ioctl'),
    load(argument(1)),
    when(TIOCSTI, 'eperm'),
    when(TIOCLINUX, 'eperm', 'allow'),

    // Address randomisation off, readable memory executable, page zero mapped: none needs a capability.
    label('personality'),
    load(argument(0)),
    when(PERSONALITY_LINUX, 'allow'),
    when(PERSONALITY_QUERY, 'allow', 'eperm'),

    ...(network === 'host'
      ? [label('socket'), load(argument(0)), when(AF_INET, 'allow'), when(AF_INET6, 'allow', 'eperm')]
      : []),

    // A datagram socket of a pair can be connected again, to any address: it would be the socket denied above.
    // Stream and packet sockets stay with their peer. SOCK_RAW becomes a datagram socket, so it is not let through.
    label('socketpair'),
    load(argument(0)),
    unless(AF_UNIX, 'eperm'),
    load(argument(1)),
    and(SOCKET_TYPE_MASK),
    when(SOCK_STREAM, 'allow'),
    when(SOCK_SEQPACKET, 'allow', 'eperm'),

    ...modeCalls.flatMap((call) => modeCheck(call, call.numbers[arch])),

    label('allow'),
    { op: 'return', value: ALLOW },
    label('eperm'),
    { op: 'return', value: ERRNO | EPERM },
    label('enosys'),
    { op: 'return', value: ERRNO | ENOSYS },
    label('kill'),
    { op: 'return', value: KILL_PROCESS },
  ]);
}

/** No file gets a set-user-id or set-group-id bit. */
function modeCheck({ flags, mode }: ModeCall, number: number | undefined): Statement[] {
  if (number === undefined) return [];
  return [
    label(`mode-of-${number}`),
    ...(flags === undefined ? [] : [load(argument(flags)), and(O_CREAT_OR_TMPFILE), when(0, 'allow')]),
    load(argument(mode)),
    and(S_ISUID_OR_ISGID),
    when(0, 'allow', 'eperm'),
  ];
}

function load(offset: number): Statement {
  return { op: 'load', offset };
}

function and(value: number): Statement {
  return { op: 'and', value };
}

function label(name: string): Statement {
  return { op: 'label', name };
}

function when(value: number, match: string, otherwise?: string): Statement {
  return { op: 'jump-if', test: 'equal', value, match, ...(otherwise === undefined ? {} : { otherwise }) };
}

function unless(value: number, otherwise: string): Statement {
  return { op: 'jump-if', test: 'equal', value, otherwise };
}
