import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isWithin } from '../within.ts';
import { readPinned, UnpinnableFile } from './read-pinned.ts';

/** A file of the project with the content that counts from now on. */
export interface PinnedFile {
  /** Relative to the project. */
  readonly path: string;
  /** Its real path. */
  readonly target: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** Reads each file of a project once; whoever asks again gets the same bytes. */
export interface Pins {
  readonly projectRoot: string;
  /**
   * The file at a path of the project.
   *
   * @throws {UnpinnableFile} also when it leads outside the project; the same again when asked again.
   */
  pin(path: string): PinnedFile;
  /** Whether a real path was pinned, and what as. */
  get(target: string): PinnedFile | undefined;
  /** What words of commands were found to name, by the word: thousands of hooks name the same few. */
  readonly words: Map<string, readonly string[]>;
  /** Everything pinned so far, by path. */
  all(): readonly PinnedFile[];
}

export const pinBounds = {
  /** Of one project. */
  maxFiles: 10_000,
  maxFileBytes: 64 * 1024 * 1024,
  maxTotalBytes: 256 * 1024 * 1024,
  /** Of one hook: each is a mount of its sandbox, and bubblewrap's time grows with their square. */
  maxFilesOfHook: 512,
};

/** @param projectRoot a real path */
export function createPins(projectRoot: string): Pins {
  const pinned = new Map<string, PinnedFile | UnpinnableFile>();
  let left = pinBounds.maxTotalBytes;

  function read(target: string): PinnedFile | UnpinnableFile {
    if (!isWithin(projectRoot, target)) return new UnpinnableFile('escapes', `leads out of the project, to ${target}`);
    if (pinned.size >= pinBounds.maxFiles) {
      return new UnpinnableFile('too_many', `is one file too many, expected at most ${pinBounds.maxFiles}`);
    }
    try {
      const { bytes, executable } = readPinned(target, Math.min(pinBounds.maxFileBytes, left));
      left -= bytes.length;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { path: relative(projectRoot, target), target, bytes, executable, sha256 };
    } catch (error) {
      if (error instanceof UnpinnableFile) return error;
      throw error;
    }
  }

  return {
    projectRoot,
    words: new Map(),
    pin(path) {
      const target = realPathOf(resolve(projectRoot, path));
      const result = pinned.get(target) ?? read(target);
      pinned.set(target, result);
      if (result instanceof UnpinnableFile) throw result;
      return result;
    },
    get(target) {
      const result = pinned.get(target);
      return result instanceof UnpinnableFile ? undefined : result;
    },
    all: () =>
      [...pinned.values()]
        .flatMap((result) => (result instanceof UnpinnableFile ? [] : [result]))
        .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
}

/** Bad UTF-8 becomes what no pack may hold, so that its reader says where. */
export function textOf({ bytes }: PinnedFile): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw code === 'ENOENT'
      ? new UnpinnableFile('missing', 'is not there')
      : new UnpinnableFile('unreadable', `cannot be read (${String(code)})`);
  }
}
