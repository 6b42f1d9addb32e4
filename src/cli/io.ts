import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { CliError } from './cli-error.ts';

/** Everything that a command takes from its process, so that it can run without one. */
export interface Io {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where the system's configuration is. No variable says so: a hostile environment must not choose it. */
  readonly systemDirectory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted when the process was asked to end. */
  readonly signal: AbortSignal;
  /** Told the exit code as soon as the answer is out: from then on, whatever ends the process, the two must agree. */
  readonly answered?: (code: number) => void;
}

/**
 * Writes all of the text.
 *
 * @throws {CliError} when the reader is gone or the disk is full: an answer that nobody got is no answer.
 */
export async function write(stream: Writable & { readonly fd?: number }, text: string): Promise<void> {
  try {
    const file = regularFile(stream);
    if (file !== undefined) writeWhole(file, Buffer.from(text));
    else
      await new Promise<void>((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
  } catch (error) {
    throw unwritten(error);
  }
}

/** True when what is written goes nowhere: Node puts `/dev/null` in the place of a stream that was closed. */
export function goesNowhere({ fd }: { readonly fd?: number }): boolean {
  if (fd === undefined) return false;
  try {
    const found = fstatSync(fd);
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

function regularFile({ fd }: { readonly fd?: number }): number | undefined {
  return fd !== undefined && fstatSync(fd).isFile() ? fd : undefined;
}

/** Node takes a short write to a file, as on a disk that is nearly full, for a whole one. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

const remedies: Readonly<Record<string, string>> = {
  EPIPE: 'its reader is gone. Read stdout to its end',
  ENOSPC: 'the disk is full. Make room',
  EDQUOT: 'the quota of this user is spent. Make room',
  EFBIG: 'the file would be larger than this process may make it. Raise the limit (ulimit -f)',
  EBADF: 'it is not open for writing. Open it',
};

function unwritten(error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = remedies[code] ?? (error instanceof Error ? error.message : String(error));
  const message = `could not be written${code === '' ? '' : ` (${code})`}: ${why}`;
  return new CliError('output', `stdout: ${message}`, [{ code: 'unwritten', message, file: 'stdout' }]);
}

/** A message for people. Nobody may be reading; that changes nothing. */
export async function tell(io: Io, text: string): Promise<void> {
  await write(io.stderr, text.endsWith('\n') ? text : `${text}\n`).catch(() => undefined);
}
