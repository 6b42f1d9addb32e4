import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seccompProgram } from '../../../src/sandbox/seccomp/program.ts';
import { bubblewrap } from '../../support/capability.ts';

const HANG_MS = 30_000;

export interface UnderFilterOptions {
  readonly network?: 'none' | 'host';
  /** A file made before the run; its path is put in front of `argv`. */
  readonly executable?: Uint8Array;
}

/**
 * Runs a program under the real filter and nothing else: the whole file system is visible and the namespaces are those
 * of the caller, so that what is refused is refused by the filter.
 */
export function underFilter(argv: readonly string[], options: UnderFilterOptions = {}): SpawnSyncReturns<string> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'hookcell-seccomp-'));
  const filter = path.join(directory, 'filter');
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  writeFileSync(filter, seccompProgram({ arch, network: options.network ?? 'none' }));
  const program: string[] = [];
  if (options.executable) {
    const executable = path.join(directory, 'program');
    writeFileSync(executable, options.executable, { mode: 0o755 });
    program.push(executable);
  }
  const descriptor = openSync(filter, 'r');
  try {
    const result = spawnSync(
      bubblewrap.path,
      [
        '--ro-bind',
        '/',
        '/',
        '--dev',
        '/dev',
        '--proc',
        '/proc',
        '--unshare-pid',
        '--die-with-parent',
        '--seccomp',
        '3',
        '--',
        ...program,
        ...argv,
      ],
      { stdio: ['ignore', 'pipe', 'pipe', descriptor], encoding: 'utf8', timeout: HANG_MS, killSignal: 'SIGKILL' },
    );
    if (result.error) throw result.error;
    return result;
  } finally {
    closeSync(descriptor);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A static x86-64 ELF program that runs `int 0x80` with the number of the 32-bit getpid, then exits 0. */
export function int80Program(): Uint8Array {
  // prettier-ignore
  const code = [
    0xb8, 20, 0, 0, 0, // mov eax, 20
    0xcd, 0x80, // int 0x80
    0x31, 0xff, // xor edi, edi
    0xb8, 60, 0, 0, 0, // mov eax, 60 (exit)
    0x0f, 0x05, // syscall
  ];
  const headers = 64 + 56;
  const base = 0x400000n;
  const bytes = new Uint8Array(headers + code.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true); // ET_EXEC
  view.setUint16(18, 62, true); // EM_X86_64
  view.setUint32(20, 1, true);
  view.setBigUint64(24, base + BigInt(headers), true); // entry
  view.setBigUint64(32, 64n, true); // program headers
  view.setUint16(52, 64, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 1, true);
  view.setUint32(64, 1, true); // PT_LOAD
  view.setUint32(68, 5, true); // readable and executable
  view.setBigUint64(80, base, true);
  view.setBigUint64(88, base, true);
  view.setBigUint64(96, BigInt(bytes.length), true);
  view.setBigUint64(104, BigInt(bytes.length), true);
  view.setBigUint64(112, 0x1000n, true);
  bytes.set(code, headers);
  return bytes;
}
