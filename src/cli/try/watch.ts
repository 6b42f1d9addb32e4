import { createHash } from 'node:crypto';
import { readFileSync, statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Io } from '../io.ts';
import { tell } from '../io.ts';

/** Editors write in several steps: what comes within this is one save. */
const quietMs = 120;
/** A file system that tells nothing (some network ones) is looked at this often. */
const lookMs = 2_000;
/** Files beyond it are compared by size and time. */
const maxBytes = 1024 * 1024;

export interface Watched {
  /** Absolute paths; asked for again and again, since files come and go. */
  readonly files: () => Promise<readonly string[]>;
  readonly run: () => Promise<void>;
}

/**
 * Runs once, and again after every save that changed one of the files, until the command is interrupted. Directories are
 * watched and contents compared: editors put a new file in the place of the old one, or touch it without a change.
 */
export async function watchFiles(io: Io, { files, run }: Watched): Promise<void> {
  const bell = new Bell();
  const watchers = new Map<string, FSWatcher>();
  io.signal.addEventListener('abort', bell.ring, { once: true });
  const look = async (): Promise<string> => {
    const found = await files();
    for (const directory of new Set(found.map((file) => path.dirname(file)))) listen(directory, watchers, bell.ring);
    return fingerprint(found);
  };
  try {
    while (!io.signal.aborted) {
      const before = await look();
      await run();
      const after = await look();
      // What only the run itself has named is new; everything else that differs was saved during the run.
      if (!io.signal.aborted && before.split('\n').every((line) => after.includes(line))) {
        await tell(io, '\nhookcell: watching the pack, the script and the event; Ctrl-C ends it\n');
        while (!io.signal.aborted && (await look()) === after) await bell.heard();
      }
    }
  } finally {
    io.signal.removeEventListener('abort', bell.ring);
    for (const watcher of watchers.values()) watcher.close();
  }
}

function listen(directory: string, watchers: Map<string, FSWatcher>, ring: () => void): void {
  if (watchers.has(directory)) return;
  try {
    const watcher = watch(directory, ring);
    watcher.on('error', () => {
      // A directory that went away may come back: it is listened to anew.
      watchers.delete(directory);
      watcher.close();
      ring();
    });
    watchers.set(directory, watcher);
  } catch {
    // Not there, or no more watches: it is looked at from time to time all the same.
  }
}

/** A line for each file: where it is, and what is in it. */
function fingerprint(files: readonly string[]): string {
  return [...new Set(files)].map((file) => `${contentOf(file)} ${file}`).join('\n');
}

function contentOf(file: string): string {
  try {
    const { size, mtimeMs } = statSync(file);
    if (size > maxBytes) return `${size} ${mtimeMs}`;
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return 'missing';
  }
}

/** Wakes who waits, and remembers that it rang while nobody did. */
class Bell {
  #rang = false;
  #wake: (() => void) | undefined;

  readonly ring = (): void => {
    this.#rang = true;
    this.#wake?.();
  };

  /** Returns when it has rung and the noise is over, or after a while without. */
  async heard(): Promise<void> {
    if (!this.#rang) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    if (this.#rang) await new Promise((resolve) => setTimeout(resolve, quietMs));
    this.#rang = false;
  }
}
