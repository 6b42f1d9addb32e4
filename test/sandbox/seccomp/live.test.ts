import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { bubblewrap, liveTest, linux, program, type Capability } from '../../support/capability.ts';
import { CALLS, EPERM_ARM64, EPERM_X64 } from './expectations.ts';
import { int80Program, underFilter } from './under-filter.ts';

const perl = program('perl');
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const x64: Capability = { name: 'x86-64', present: process.arch === 'x64' };
const calls = CALLS[arch];
const KILLED_BY_SIGSYS = 128 + 31;
const needs = [linux, bubblewrap, perl];

/** Each line of `calls` is a Perl list for `syscall`; the answer is the errno of each, 0 for success. */
function errnos(lists: readonly string[], network: 'none' | 'host' = 'none'): number[] {
  const script = lists.map((list) => `$! = 0; print((syscall(${list}) < 0 ? $!+0 : 0), "\\n");`).join(' ');
  const result = underFilter([perl.path, '-e', script], { network });
  expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: '' });
  return result.stdout.trim().split('\n').map(Number);
}

const pair = (family: number, type: number): string => `${calls.socketpair}, ${family}, ${type}, 0, $pair = "\\0" x 8`;

describe('the filter in the kernel', () => {
  liveTest(needs, 'answers every denied call with EPERM', () => {
    const denied = [...(arch === 'x64' ? EPERM_X64 : EPERM_ARM64)];
    // Arguments that a kernel without the filter answers otherwise: bad pointers, bad descriptors.
    const answers = errnos(denied.map((nr) => `${nr}, -1, -1, -1, -1, -1`));
    expect(Object.fromEntries(denied.map((nr, index) => [nr, answers[index]]))).toEqual(
      Object.fromEntries(denied.map((nr) => [nr, 1])),
    );
  });

  liveTest(needs, 'answers clone3 with ENOSYS and namespaces with EPERM, also with high bits set', () => {
    const answers = errnos([
      `${calls.clone3}, 0, 0`,
      `${calls.clone}, 0x10000011, 0, 0, 0, 0`,
      `${calls.clone}, 0x100000010000011 | 0x40000000, 0, 0, 0, 0`,
    ]);
    expect(answers).toEqual([38, 1, 1]);
  });

  liveTest(needs, 'denies terminal injection whatever the high word holds, and other ioctls reach the kernel', () => {
    const answers = errnos([
      `${calls.ioctl}, 0, 0x5412, 0`,
      `${calls.ioctl}, 0, 0x100005412, 0`,
      `${calls.ioctl}, 0, 0x7fffffff0000541c, 0`,
      `${calls.ioctl}, 0, 0x5401, 0`,
    ]);
    expect(answers).toEqual([1, 1, 1, 25]);
  });

  liveTest(needs, 'denies every socket family without network', () => {
    const families = Array.from({ length: 46 }, (_, family) => family);
    expect(errnos(families.map((family) => `${calls.socket}, ${family}, 1, 0`))).toEqual(families.map(() => 1));
  });

  liveTest(needs, 'with network lets IPv4 and IPv6 through, nothing else', () => {
    const others = [1, 16, 17, 38, 40];
    const answers = errnos(
      [2, 10, ...others].map((family) => `${calls.socket}, ${family}, 2, 0`),
      'host',
    );
    expect(answers[0]).toBe(0);
    // EAFNOSUPPORT: a kernel without IPv6 answers, not the filter.
    expect([0, 97]).toContain(answers[1]);
    expect(answers.slice(2)).toEqual(others.map(() => 1));
  });

  liveTest(needs, 'resolves names with network, though netlink and unix sockets are denied', () => {
    const script = `use Socket qw(getaddrinfo AI_ADDRCONFIG SOCK_STREAM);
      for my $name ("127.0.0.1", "localhost") {
        my ($error, @found) = getaddrinfo($name, 80, { flags => AI_ADDRCONFIG, socktype => SOCK_STREAM });
        print "$name: ", ($error || "found " . (@found > 0 ? 1 : 0)), "\\n";
      }`;
    const result = underFilter([perl.path, '-e', script], { network: 'host' });
    expect(result.stdout).toBe('127.0.0.1: found 1\nlocalhost: found 1\n');
  });

  liveTest(needs, 'makes stream pairs, and no datagram pair that could be connected to another address', () => {
    expect(errnos([pair(1, 1), pair(1, 5), pair(1, 2), pair(1, 3), pair(30, 1)])).toEqual([0, 0, 1, 1, 1]);
  });

  liveTest([...needs, x64], 'kills a program that makes a 32-bit call', () => {
    const executable = int80Program();
    expect(underFilter([], { executable }).status).toBe(KILLED_BY_SIGSYS);
    // Without the filter the same program ends well, or by the SIGSEGV of a kernel without 32-bit calls: never by SIGSYS.
    expect(withoutFilter(executable)).not.toBe('SIGSYS');
  });

  liveTest([...needs, x64], 'kills a program that makes an x32 call', () => {
    const result = underFilter([perl.path, '-e', 'syscall(0x40000000 + 39); print "alive"']);
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status: KILLED_BY_SIGSYS, stdout: '' });
  });

  liveTest([linux, bubblewrap], 'leaves shells, pipelines, threads and child processes alone', () => {
    const shell = underFilter(['/bin/sh', '-c', 'echo one two | tr " " "\\n" | (sleep 0; wc -l) & wait']);
    expect({ status: shell.status, stdout: shell.stdout.trim() }).toEqual({ status: 0, stdout: '2' });
    const script = `const { Worker } = require('node:worker_threads');
      const { spawnSync } = require('node:child_process');
      const worker = new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true });
      worker.on('message', () => console.log(spawnSync('/bin/echo', ['child']).stdout.toString().trim()));`;
    const node = underFilter([process.execPath, '-e', script]);
    expect({ status: node.status, stdout: node.stdout, stderr: node.stderr }).toEqual({
      status: 0,
      stdout: 'child\n',
      stderr: '',
    });
  });
});

function withoutFilter(executable: Uint8Array): string | null {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'hookcell-int80-'));
  const filename = path.join(directory, 'program');
  try {
    writeFileSync(filename, executable);
    chmodSync(filename, 0o755);
    const result = spawnSync(filename, { timeout: 30_000 });
    if (result.error) throw result.error;
    return result.signal;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
