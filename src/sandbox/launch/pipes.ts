import { execFile, execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const execFileAsync = promisify(execFile);
const MKFIFO = '/usr/bin/mkfifo';
const BATCH = 48;

/** A pipe whose read end is the child's. We keep a read end too, so that a child that closes its own never breaks our writes. */
export interface InputPipe {
  readonly child: number;
  readonly writeEnd: number;
  readonly readEnd: number;
}

/** A pipe whose write end is the child's. */
export interface OutputPipe {
  readonly child: number;
  readonly readEnd: number;
}

/**
 * Makes real pipes. Node's own `'pipe'` is a socket pair: `echo x > /dev/stdout` fails there with ENXIO, and hooks do that.
 * Named pipes are the way without native code: made in batches, opened at both ends, unlinked at once.
 */
export class PipeSource {
  readonly #directory: string;
  #ready: string[] = [];
  #made = 0;
  #refill: Promise<void> | undefined;

  /** `directory` must belong to this process alone (mode 0700). */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Throws, with nothing left open, when this process has no descriptors left. */
  input(): InputPipe {
    return this.#make((open) => ({
      readEnd: open(O_RDONLY | O_NONBLOCK),
      writeEnd: open(O_WRONLY | O_NONBLOCK),
      // The child's end must block, so it is a description of its own.
      child: open(O_RDONLY),
    }));
  }

  /** Throws like `input`. */
  output(): OutputPipe {
    return this.#make((open) => ({ readEnd: open(O_RDONLY | O_NONBLOCK), child: open(O_WRONLY) }));
  }

  /** One pipe, whose ends are opened in an order in which none blocks. */
  #make<Pipe>(ends: (open: (flags: number) => number) => Pipe): Pipe {
    const path = this.#take();
    const opened: number[] = [];
    try {
      return ends((flags) => {
        const descriptor = openSync(path, flags);
        opened.push(descriptor);
        return descriptor;
      });
    } catch (error) {
      closeAll(opened);
      throw error;
    } finally {
      unlinkSync(path);
    }
  }

  /** Makes a batch ahead of need, off the critical path. */
  async prepare(): Promise<void> {
    if (this.#ready.length >= BATCH / 2) return;
    this.#refill ??= this.#makeBatch().finally(() => {
      this.#refill = undefined;
    });
    await this.#refill;
  }

  async #makeBatch(): Promise<void> {
    const names = this.#names();
    await execFileAsync(MKFIFO, ['-m', '600', ...names], { env: {} });
    this.#ready.push(...names);
  }

  #take(): string {
    if (this.#ready.length === 0) {
      const names = this.#names();
      execFileSync(MKFIFO, ['-m', '600', ...names], { env: {} });
      this.#ready.push(...names);
    }
    const path = this.#ready.pop();
    if (path === undefined) throw new Error('no pipe could be made');
    return path;
  }

  #names(): string[] {
    const names = Array.from({ length: BATCH }, (_, index) => join(this.#directory, `pipe-${this.#made + index}`));
    this.#made += BATCH;
    return names;
  }
}

/** Closes descriptors, each at most once and never with an error of its own. */
export function closeAll(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) {
    try {
      closeSync(descriptor);
    } catch {
      // Already closed: nothing is lost.
    }
  }
}
