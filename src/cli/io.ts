import type { Readable, Writable } from 'node:stream';

/** Everything that a command takes from its process, so that it can run without one. */
export interface Io {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where the system's configuration is. No variable says so: a hostile environment must not choose it. */
  readonly systemDirectory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted when the process was asked to end. */
  readonly signal: AbortSignal;
}

/** Writes all of the text. Rejects when the reader is gone: an answer that nobody got is no answer. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** A message for people. Nobody may be reading; that changes nothing. */
export async function tell(io: Io, text: string): Promise<void> {
  await write(io.stderr, text.endsWith('\n') ? text : `${text}\n`).catch(() => undefined);
}
