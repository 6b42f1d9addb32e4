import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { HookcellError } from '../protocol/index.ts';

const maxBytes = 4 * 1024 * 1024;
/** A repository may hold a link that leads out of it, or a pipe that nobody writes to. */
const plainFile = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** @throws {HookcellError} `invalid_options`, with a finding, for what is no regular file of UTF-8. */
export async function readVectorFile(path: string, file: string): Promise<string> {
  return withFile(path, file, constants.O_RDONLY, async (handle) => {
    const bytes = await handle.readFile();
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  });
}

/** Writes in place, so that owner and mode stay, when the file still is what was read. */
export async function rewriteVectorFile(path: string, file: string, before: string, after: string): Promise<void> {
  await withFile(path, file, constants.O_RDWR, async (handle) => {
    if ((await handle.readFile('utf8')) !== before) throw new Error('it changed while its hooks ran; run again');
    await handle.truncate(0);
    await handle.write(after, 0, 'utf8');
  });
}

async function withFile<Value>(
  path: string,
  file: string,
  flags: number,
  work: (handle: FileHandle) => Promise<Value>,
): Promise<Value> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, flags | plainFile);
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('expected a regular file');
    if (found.size > maxBytes) throw new Error(`expected at most ${maxBytes} bytes, got ${found.size}`);
    return await work(handle);
  } catch (error) {
    const link = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    const detail = error instanceof Error ? error.message : String(error);
    const message = link ? 'expected a regular file, got a symbolic link' : `cannot be read or written: ${detail}`;
    throw new HookcellError('invalid_options', `${file}: ${message}`, {
      findings: [{ code: 'unreadable', message, file }],
      cause: error,
    });
  } finally {
    await handle?.close();
  }
}
