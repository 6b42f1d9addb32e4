import type { Io } from './io.ts';
import { CliError } from './cli-error.ts';

/** More than any envelope may hold. */
const maxStdinBytes = 16 * 1024 * 1024;
/** Hosts write the event at once; one that never closes the pipe must not hang its own agent. */
const stdinDeadlineMs = 30_000;

/** All of stdin as text: bounded in size and time, UTF-8 only; a leading byte order mark is dropped. */
export async function readStdin(io: Io): Promise<string> {
  if (io.stdin.isTTY === true) {
    throw new CliError(
      'usage',
      'expected the event as JSON on stdin, which is a terminal. Try: hookcell … < event.json',
    );
  }
  const bytes = await collect(io);
  if (bytes.length === 0) throw new CliError('data', 'expected the event as JSON on stdin, got nothing', [empty]);
  return decodeInput(bytes, '<stdin>');
}

/** UTF-8 only; a leading byte order mark is dropped. */
export function decodeInput(bytes: Uint8Array, file: string): string {
  if (bytes.length > maxStdinBytes) throw tooLarge(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const message = 'expected UTF-8, got bytes that are not. Encode the event as UTF-8';
    throw new CliError('data', `${file}: ${message}`, [{ code: 'invalid_encoding', message, file }]);
  }
}

const empty = { code: 'empty_input', message: 'expected the event as JSON, got nothing', file: '<stdin>' };

async function collect(io: Io): Promise<Buffer> {
  const { stdin } = io;
  const deadline = AbortSignal.timeout(stdinDeadlineMs);
  const ended = AbortSignal.any([deadline, io.signal]);
  const end = () => stdin.destroy(new Error('stdin was given up'));
  ended.addEventListener('abort', end, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    ended.throwIfAborted();
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxStdinBytes) throw tooLarge('<stdin>');
      chunks.push(chunk);
    }
  } catch (error) {
    if (deadline.aborted) {
      throw new CliError('data', `stdin did not end within ${stdinDeadlineMs / 1000} s. Close it after the event`);
    }
    if (io.signal.aborted) throw new CliError('interrupted', 'interrupted while reading stdin');
    throw error;
  } finally {
    ended.removeEventListener('abort', end);
  }
  return Buffer.concat(chunks);
}

function tooLarge(file: string): CliError {
  const message = `expected at most ${maxStdinBytes} bytes of event, got more. Send less of the data`;
  return new CliError('data', `${file}: ${message}`, [{ code: 'payload_limit', message, file }]);
}
