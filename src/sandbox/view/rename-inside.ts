import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, renameSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const { O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux's O_PATH, which Node does not name. */
const O_PATH = 0o10000000;
/** Of the 255 bytes of a name, so that the suffix has room. */
const maxKeptBytes = 200;

/**
 * Gives an entry below `root` a name that nothing obeys or follows. The directories on the way are opened one by one, through no symbolic
 * link: whoever exchanges one for a link meanwhile makes this fail, and never leads it out of `root`.
 *
 * @param identity `dev:ino` of what was found there, where that matters
 * @returns its new path
 * @throws when it is not, or cannot be renamed
 */
export function setAside(root: string, path: string, identity?: string): string {
  return inDirectory(root, dirname(path), (directory) => {
    const name = basename(path);
    if (identity !== undefined && identityAt(join(directory, name)) !== identity)
      throw new Error(`${path} was exchanged`);
    const inert = inertName(name);
    renameIn(directory, Buffer.from(name), inert);
    return join(dirname(path), inert);
  });
}

/** Gives every entry of a directory below `root` whose name is not UTF-8, so that it has no path here, one that is. */
export function nameUndecodable(root: string, path: string): string[] {
  return inDirectory(root, path, (directory) => {
    const names = readdirSync(directory, { encoding: 'buffer' });
    const undecodable = names.filter((name) => name.toString('utf8').includes('\ufffd'));
    return undecodable.map((name) => {
      const inert = inertName(name.toString('latin1').replaceAll(/[^\w.-]/gu, '_'));
      renameIn(directory, name, inert);
      return join(path, inert);
    });
  });
}

function inertName(name: string): string {
  const kept = Buffer.from(name).subarray(0, maxKeptBytes).toString('utf8').replaceAll('\ufffd', '_');
  return `${kept}.set-aside-${randomBytes(4).toString('hex')}`;
}

function renameIn(directory: string, name: Buffer, inert: string): void {
  const from = Buffer.concat([Buffer.from(`${directory}/`), name]);
  try {
    renameSync(from, join(directory, inert));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
    // The handler took its own directory's write bit away.
    chmodSync(directory, 0o700);
    renameSync(from, join(directory, inert));
  }
}

/** Calls `use` with a path that means the very directory that was opened, wherever it is renamed to. */
function inDirectory<Result>(root: string, path: string, use: (directory: string) => Result): Result {
  let descriptor = openSync(root, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (readlinkSync(held(descriptor)) !== root) throw new Error(`${root} was exchanged`);
    for (const step of relative(root, path)
      .split('/')
      .filter((name) => name !== '')) {
      const next = openSync(`${held(descriptor)}/${step}`, O_PATH | O_DIRECTORY | O_NOFOLLOW);
      closeSync(descriptor);
      descriptor = next;
    }
    return use(held(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function held(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function identityAt(path: string): string {
  const stats = lstatSync(path, { bigint: true });
  return `${stats.dev}:${stats.ino}`;
}
