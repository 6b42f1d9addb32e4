import { accessSync, constants, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HookcellError } from '../protocol/index.ts';
import { processIsAlive, type GroupOwner } from './cgroup/owner.ts';

const NAME = /^hookcell-(\d+)-(\d+)-(\d+)-\w+$/u;

/**
 * A directory of this process alone (mode 0700) for pipes, the filter and the generated files that are bound into sandboxes.
 * Its name tells the owner, so that a later executor can remove what a killed one left.
 *
 * @throws {HookcellError} `sandbox_unavailable` when `base` is missing, full or not ours to write to.
 */
export function makeRuntimeDirectory(owner: GroupOwner, base: string = tmpdir()): string {
  try {
    return mkdtempSync(join(realpathSync(base), `hookcell-${owner.pidNamespace}-${owner.pid}-${owner.startTime}-`));
  } catch (error) {
    throw noRuntimeDirectory(base, error);
  }
}

/**
 * Where pipes may be made, best first: for a moment a pipe has a name, and whoever can open it speaks for a handler, so these places
 * are the same for every executor of this user, whatever its TMPDIR, and no sandbox shows them.
 */
export function pipePlaces(): string[] {
  const uid = process.getuid?.();
  return [uid === 0 ? '/run' : `/run/user/${uid}`, '/dev/shm'];
}

/** The first of them that is there for us, else `fallback`. Not the runtime directory: it holds programs, which `/run` may not run. */
export function pipeBase(fallback: string): string {
  return pipePlaces().find((place) => isOurs(place)) ?? fallback;
}

/** A directory in which we can make entries and nobody but us and root can rename them. */
function isOurs(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    const found = lstatSync(path);
    const isSticky = (found.mode & 0o1000) !== 0;
    return found.isDirectory() && (found.uid === process.getuid?.() || (found.uid === 0 && isSticky));
  } catch {
    return false;
  }
}

/** Removes runtime directories of this user whose owner, process id and start time, is dead. Others' are not touched. */
export function sweepRuntimeDirectories(owner: GroupOwner, base: string = tmpdir()): string[] {
  const removed: string[] = [];
  for (const name of readdirSync(base)) {
    const [, namespace, pid, startTime] = NAME.exec(name) ?? [];
    if (namespace === undefined || pid === undefined || startTime === undefined) continue;
    if (namespace !== owner.pidNamespace || processIsAlive(Number(pid), startTime)) continue;
    const path = join(base, name);
    try {
      if (statSync(path).uid !== process.getuid?.()) continue;
      rmSync(path, { recursive: true, force: true });
      removed.push(path);
    } catch {
      // Somebody else swept it at the same time.
    }
  }
  return removed;
}

function noRuntimeDirectory(base: string, error: unknown): HookcellError {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const isTemporary = base === tmpdir();
  const remedy = isTemporary ? 'make it, or set TMPDIR to a directory that this user may write to' : 'make it writable';
  const message = `expected a directory for temporary files at ${base}, could not make one in it (${why}); ${remedy}`;
  const file = isTemporary ? 'TMPDIR' : base;
  return new HookcellError('sandbox_unavailable', `${file}: ${message}`, {
    cause: error,
    findings: [{ code: 'no_runtime_directory', message, file }],
  });
}
