import type { Stats } from 'node:fs';
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';

/** A regular file as it was read, once. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Why a file cannot be pinned. */
export class UnpinnableFile extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a file by its real path. No link is followed, in no part of the path, and nothing but a regular file is opened: a
 * device may act on being opened, a pipe would wait. What is judged is what is read: the same open file.
 *
 * @throws {UnpinnableFile}
 */
export function readPinned(real: string, maxBytes: number): ReadFile {
  return readRegular(real, maxBytes, (descriptor) => {
    if (openedPath(descriptor, real) === real) return;
    throw new UnpinnableFile('is_link', 'is reached through a symbolic link, or was moved while it was read');
  });
}

/**
 * Reads a regular file that is no link itself, whatever leads to it.
 *
 * @throws {UnpinnableFile}
 */
export function readRegular(path: string, maxBytes: number, check?: (descriptor: number) => void): ReadFile {
  const seen = attempt(() => lstatSync(path));
  if (seen.isSymbolicLink()) throw new UnpinnableFile('is_link', 'is a symbolic link, expected a regular file');
  requireRegular(seen, maxBytes);
  const descriptor = attempt(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  try {
    const found = fstatSync(descriptor);
    requireRegular(found, maxBytes);
    check?.(descriptor);
    return { bytes: readAll(descriptor, found.size, maxBytes), executable: (found.mode & 0o111) !== 0 };
  } finally {
    closeSync(descriptor);
  }
}

function requireRegular(found: Stats, maxBytes: number): void {
  if (!found.isFile()) throw new UnpinnableFile('not_a_file', 'is not a regular file');
  if (found.size > maxBytes) throw tooLarge(found.size, maxBytes);
}

function tooLarge(size: number, maxBytes: number): UnpinnableFile {
  return new UnpinnableFile('too_large', `has ${size} bytes or more, expected at most ${maxBytes}`);
}

/** The kernel's own word where it has one: a path that is looked at again may have been exchanged twice. */
function openedPath(descriptor: number, real: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return attempt(() => realpathSync(real));
  }
}

/** Up to the end, whatever the size was: the file may grow meanwhile. */
function readAll(descriptor: number, size: number, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    // What the size promises, and a little to see the end; a file of the kernel promises nothing.
    const expected = size === 0 ? maxChunkBytes : Math.max(size - length, 0) + 512;
    const chunk = Buffer.allocUnsafe(Math.min(expected, maxChunkBytes));
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks);
    length += count;
    if (length > maxBytes) throw tooLarge(length, maxBytes);
    chunks.push(chunk.subarray(0, count));
  }
}

const maxChunkBytes = 65_536;

function attempt<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') throw new UnpinnableFile('missing', 'is not there');
    if (code === 'ELOOP') throw new UnpinnableFile('is_link', 'is a symbolic link, expected a regular file');
    throw new UnpinnableFile('unreadable', `cannot be read (${code || String(error)})`);
  }
}
