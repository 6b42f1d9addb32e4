import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sandboxHome } from '../environment.ts';

/** Files outside that are bound into every sandbox. */
export interface StaticFiles {
  /** Absolute, without symlinks, mode 0700, ours. */
  readonly directory: string;
  /** Covers a secret file. Regular, since a mount without devices refuses to open `/dev/null`. */
  readonly emptyFile: string;
  /** Covers a secret directory. */
  readonly emptyDirectory: string;
  readonly passwd: string;
  readonly group: string;
}

/** User and group id inside, whoever runs hookcell. */
export const sandboxId = 65_534;

/**
 * Writes the static files once per sandbox.
 * @param directory an existing private directory of this process
 */
export function writeStaticFiles(directory: string): StaticFiles {
  const files = {
    directory,
    emptyFile: join(directory, 'empty'),
    emptyDirectory: join(directory, 'empty.d'),
    passwd: join(directory, 'passwd'),
    group: join(directory, 'group'),
  };
  mkdirSync(files.emptyDirectory, { recursive: true, mode: 0o755 });
  writeFileSync(files.emptyFile, '', { mode: 0o444 });
  writeFileSync(files.passwd, `hook:x:${sandboxId}:${sandboxId}:hook:${sandboxHome}:/bin/sh\n`, { mode: 0o644 });
  writeFileSync(files.group, `hook:x:${sandboxId}:\n`, { mode: 0o644 });
  return files;
}

/** Keeps `text` under the hash of its content and returns the path: the same text is written once. */
export function keepText(files: StaticFiles, text: string): string {
  return keepFile(files.directory, new TextEncoder().encode(text), false);
}

/** Keeps bytes under their hash in a private directory and returns the path: the same bytes are written once. */
export function keepFile(directory: string, bytes: Uint8Array, executable: boolean): string {
  const kind = executable ? 'program' : 'file';
  const path = join(directory, `${kind}-${createHash('sha256').update(bytes).digest('hex')}`);
  if (existsSync(path)) return path;
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, bytes, { mode: executable ? 0o555 : 0o444, flag: 'wx' });
  // Atomic, so that a launch beside this one never binds a half-written file.
  renameSync(fresh, path);
  return path;
}
