import { execFile } from 'node:child_process';
import { constants, closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Slot } from '../launch/index.ts';
import { CallReader } from './call-reader.ts';
import type { CallListener } from './call-reader.ts';
import type { Untraceable } from './strace.ts';
import { classifyUntraceable, straceCommand } from './strace.ts';

const execFileAsync = promisify(execFile);
const startMs = 5_000;
const endMs = 5_000;

/** A tracer that waits for the process that it is to trace. */
export interface Tracer {
  /** Goes in front of the process's own command line. */
  readonly command: readonly string[];
  /** Whether the process is traced from here on; else why not. Waits, bounded. */
  attached(slot: Slot): Promise<Untraceable | undefined>;
  /** Hears the calls of the traced processes. To be set before the process gets its order. */
  listen(listener: CallListener): void;
  /** Waits, bounded, until all was heard; true when some was not. */
  finish(): Promise<boolean>;
}

/** @param directory private to this process, for the pipe in between */
export async function startTracer(strace: string, directory: string, name: string): Promise<Tracer> {
  const path = join(directory, `trace-${name}`);
  await execFileAsync('/usr/bin/mkfifo', ['-m', '600', path], { env: {} });
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Without a writer the pipe would end before the tracer has opened it.
  const holder = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const socket = new Socket({ fd: readEnd, readable: true, writable: false });
  const waiting: string[] = [];
  let reader: CallReader | undefined;
  const started = new Promise<true>((resolve) => {
    socket.once('data', () => resolve(true));
  });
  socket.on('data', (chunk: Buffer) => {
    if (reader === undefined) waiting.push(chunk.toString('latin1'));
    else reader.push(chunk.toString('latin1'));
  });
  const ended = new Promise<true>((resolve) => {
    socket.once('close', () => resolve(true));
    socket.once('end', () => resolve(true));
    socket.once('error', () => resolve(true));
  });
  let held = true;
  const letGo = (): void => {
    if (held) closeSync(holder);
    held = false;
  };

  return {
    command: straceCommand(strace, path),
    async attached(slot) {
      const first = await Promise.race([started, slot.ended, pause(startMs)]);
      unlinkSync(path);
      letGo();
      if (first === true) return undefined;
      const problem = classifyUntraceable(readNow(slot.stderr.readEnd));
      socket.destroy();
      return problem;
    },
    listen(listener) {
      reader = new CallReader(listener);
      for (const chunk of waiting.splice(0)) reader.push(chunk);
    },
    async finish() {
      letGo();
      const all = await Promise.race([ended, pause(endMs)]);
      socket.destroy();
      return all !== true || reader?.incomplete === true;
    },
  };
}

/** What is in a pipe now. */
function readNow(descriptor: number): string {
  const buffer = Buffer.alloc(4_096);
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, null));
  } catch {
    return '';
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
