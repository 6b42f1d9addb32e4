import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const answer = '{"decision":{"action":"allow"}}\n';

/**
 * A handler without an interpreter or a libc, so that what is measured is the launch: on x86-64 an ELF file of a few hundred bytes
 * that writes the answer and exits. Elsewhere `undefined`.
 */
export function staticProgram(directory: string): string | undefined {
  if (process.arch !== 'x64') return undefined;
  const path = join(directory, 'static-allow');
  if (existsSync(path)) return path;
  const text = Buffer.from(answer);
  const base = 0x400000n;
  const headers = 64 + 56;
  const code = Buffer.concat([
    Buffer.from([0xb8, 1, 0, 0, 0, 0xbf, 1, 0, 0, 0, 0x48, 0xbe]), // mov eax, write; mov edi, 1; mov rsi, …
    le64(base + BigInt(headers) + 33n),
    Buffer.from([0xba, text.length, 0, 0, 0, 0x0f, 0x05]), // mov edx, length; syscall
    Buffer.from([0x31, 0xff, 0xb0, 60, 0x0f, 0x05]), // xor edi, edi; mov al, exit; syscall
  ]);
  const size = BigInt(headers + code.length + text.length);
  const elf = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    le16(2, 62),
    le32(1),
    le64(base + BigInt(headers)),
    le64(64n),
    le64(0n),
    le32(0),
    le16(64, 56, 1, 0, 0, 0),
    le32(1, 5),
    le64(0n, base, base, size, size, 0x1000n),
    code,
    text,
  ]);
  writeFileSync(path, elf);
  chmodSync(path, 0o755);
  return path;
}

function le16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => buffer.writeUInt16LE(value, 2 * index));
  return buffer;
}

function le32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => buffer.writeUInt32LE(value, 4 * index));
  return buffer;
}

function le64(...values: bigint[]): Buffer {
  const buffer = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => buffer.writeBigUInt64LE(value, 8 * index));
  return buffer;
}
