import { describe, expect, test } from 'vitest';
import { seccompProgram } from '../../../src/sandbox/seccomp/program.ts';
import { DENIED, INSPECTED, MODE_CALLS } from '../../../src/sandbox/seccomp/syscalls.ts';
import { runFilter } from './bpf-interpreter.ts';
import { CALLS, EPERM_ARM64, EPERM_X64, MODES, RETURN } from './expectations.ts';

const HIGH_BITS = [0n, 1n << 32n, 0x8000_0000_0000_0000n, 0xffff_ffff_0000_0000n];
const NEW_FLAGS = {
  CLONE_NEWNS: 0x00020000n,
  CLONE_NEWCGROUP: 0x02000000n,
  CLONE_NEWUTS: 0x04000000n,
  CLONE_NEWIPC: 0x08000000n,
  CLONE_NEWUSER: 0x10000000n,
  CLONE_NEWPID: 0x20000000n,
  CLONE_NEWNET: 0x40000000n,
};
/** What glibc and musl pass for fork, vfork and a thread. */
const ORDINARY_CLONES = [0x11n, 0x01200011n, 0x4111n, 0x003d0f00n, 0x007d0f00n];

const ARCHES = ['x64', 'arm64'] as const;
const NETWORKS = ['none', 'host'] as const;

describe.each(ARCHES.flatMap((arch) => NETWORKS.map((network) => ({ arch, network }))))(
  'filter for $arch with network $network',
  ({ arch, network }) => {
    const program = seccompProgram({ arch, network });
    const calls = CALLS[arch];
    const denied = arch === 'x64' ? EPERM_X64 : EPERM_ARM64;
    const run = (nr: number, ...args: bigint[]): number => runFilter(program, { nr, arch: calls.audit, args });

    test('answers every call number from 0 to 600 as the table says', () => {
      const inspected = new Set<number>([
        calls.clone,
        calls.clone3,
        calls.openat2,
        calls.ioctl,
        calls.personality,
        calls.socket,
        calls.socketpair,
        ...MODES[arch].map(([nr]) => nr),
      ]);
      for (let nr = 0; nr <= 600; nr += 1) {
        if (inspected.has(nr)) continue;
        const expected = denied.has(nr) ? RETURN.eperm : RETURN.allow;
        for (const fill of [0n, 0xffff_ffff_ffff_ffffn, 0x4000_0000_0000_5412n]) {
          expect({ nr, answer: run(nr, fill, fill, fill, fill, fill, fill) }).toEqual({ nr, answer: expected });
        }
      }
    });

    test('kills x32 numbers on x86-64, and only there', () => {
      const beyond = arch === 'x64' ? RETURN.kill : RETURN.allow;
      for (let nr = 0x4000_0000; nr <= 0x4000_0258; nr += 1) expect(run(nr)).toBe(beyond);
      for (const nr of [0x7fff_ffff, 0x8000_0000, 0xc000_0000, -1, -2]) expect(run(nr)).toBe(beyond);
      for (const nr of [1000, 0x1000_0000, 0x3fff_ffff]) expect(run(nr)).toBe(RETURN.allow);
    });

    test('kills every foreign architecture', () => {
      const foreign = [
        0,
        0x40000003,
        0x40000028,
        0xc000003f,
        0xffffffff,
        0x4000003e,
        ...ARCHES.filter((other) => other !== arch).map((other) => CALLS[other].audit),
      ];
      for (const audit of foreign) {
        for (const nr of [0, 39, 41, 101, 435, 0x40000027]) {
          expect(runFilter(program, { nr, arch: audit })).toBe(RETURN.kill);
        }
      }
    });

    test('lets threads and processes be made, and denies every namespace flag', () => {
      for (const high of HIGH_BITS) {
        for (const flags of ORDINARY_CLONES) {
          expect(run(calls.clone, high | flags)).toBe(RETURN.allow);
          for (const [name, flag] of Object.entries(NEW_FLAGS)) {
            expect({ name, answer: run(calls.clone, high | flags | flag) }).toEqual({ name, answer: RETURN.eperm });
          }
        }
        // A flag in the high word is none.
        expect(run(calls.clone, (NEW_FLAGS.CLONE_NEWUSER << 32n) | 0x11n)).toBe(RETURN.allow);
      }
      // The flags are in the first argument, not in another.
      expect(run(calls.clone, 0x11n, 0x7e020000n, 0x7e020000n)).toBe(RETURN.allow);
    });

    test.each(MODES[arch].map(([nr, mode, flags]) => ({ nr, mode, flags })))(
      'call $nr gives no file the privileges of its owner',
      ({ nr, mode, flags }) => {
        const given = (bits: bigint, opening: bigint) => {
          const args = Array.from({ length: 6 }, () => 0n);
          args[mode] = bits;
          if (flags !== undefined) args[flags] = opening;
          return run(nr, ...args);
        };
        for (const high of HIGH_BITS) {
          for (const making of [0o100n, 0o20000000n, 0o102n]) {
            for (const bits of [0o4755n, 0o2755n, 0o6000n, 0o104000n]) {
              expect(given(high | bits, high | making)).toBe(RETURN.eperm);
            }
            for (const bits of [0n, 0o644n, 0o1777n, 0o100755n])
              expect(given(high | bits, high | making)).toBe(RETURN.allow);
          }
          // Nothing is made: what stands in the place of the mode is chance.
          if (flags !== undefined) expect(given(high | 0o7777n, high | 0o2000001n)).toBe(RETURN.allow);
        }
      },
    );

    test('answers clone3 and openat2 with ENOSYS, so that libc falls back to what can be inspected', () => {
      for (const high of HIGH_BITS) expect(run(calls.openat2, high, high)).toBe(RETURN.enosys);
      for (const high of HIGH_BITS) expect(run(calls.clone3, high, 88n)).toBe(RETURN.enosys);
    });

    test('denies ioctls that inject terminal input, whatever the high word holds', () => {
      for (const high of HIGH_BITS) {
        expect(run(calls.ioctl, 0n, high | 0x5412n)).toBe(RETURN.eperm);
        expect(run(calls.ioctl, 0n, high | 0x541cn)).toBe(RETURN.eperm);
        for (const other of [0x5401n, 0x5411n, 0x5413n, 0x541bn, 0x541dn, 0x5421n]) {
          expect(run(calls.ioctl, 0n, high | other)).toBe(RETURN.allow);
        }
      }
      expect(run(calls.ioctl, 0x5412n, 0x5401n, 0x5412n)).toBe(RETURN.allow);
    });

    test('lets through exactly the families of the network that was granted', () => {
      for (let family = 0n; family <= 50n; family += 1n) {
        const granted = network === 'host' && (family === 2n || family === 10n);
        for (const high of HIGH_BITS) {
          for (const type of [1n, 2n, 3n]) {
            expect({ family, answer: run(calls.socket, high | family, type) }).toEqual({
              family,
              answer: granted ? RETURN.allow : RETURN.eperm,
            });
          }
        }
      }
      expect(run(calls.socket, 0xffff_ffffn)).toBe(RETURN.eperm);
    });

    test('lets through only socket pairs that cannot be connected elsewhere', () => {
      const NONBLOCK_CLOEXEC = 0o2004000n;
      for (let family = 0n; family <= 50n; family += 1n) {
        for (let type = 0n; type <= 15n; type += 1n) {
          const granted = family === 1n && (type === 1n || type === 5n);
          for (const high of HIGH_BITS) {
            for (const flags of [0n, NONBLOCK_CLOEXEC]) {
              expect(run(calls.socketpair, high | family, high | flags | type)).toBe(
                granted ? RETURN.allow : RETURN.eperm,
              );
            }
          }
        }
      }
    });

    test('lets the personality be asked for, not changed', () => {
      for (const high of HIGH_BITS) {
        expect(run(calls.personality, high | 0xffff_ffffn)).toBe(RETURN.allow);
        expect(run(calls.personality, high)).toBe(RETURN.allow);
        for (const persona of [0x0040000n, 0x0400000n, 0x0100000n, 0x8n, 0x0020000n]) {
          expect(run(calls.personality, high | persona)).toBe(RETURN.eperm);
        }
      }
    });
  },
);

test('no call stands in the table twice', () => {
  for (const arch of ARCHES) {
    const modes = Object.values(MODE_CALLS).map((call) => call.numbers);
    const numbers = [...Object.values(DENIED), ...Object.values(INSPECTED), ...modes].flatMap(
      (call) => call[arch] ?? [],
    );
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});
