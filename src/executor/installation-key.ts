import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HookcellError } from '../protocol/index.ts';
import { makePrivateDirectory } from './private-directory.ts';

const keyBytes = 32;
const fileName = 'installation.key';

/**
 * Reads this installation's key, or creates it: 32 random bytes, readable by its owner alone. Two processes that start
 * together end up with the same key, and nobody ever sees half of one.
 *
 * @throws {HookcellError} `invalid_options` when the file is not a private one of this user, or cannot be made.
 */
export async function readInstallationKey(stateDirectory: string): Promise<Uint8Array> {
  const file = join(stateDirectory, fileName);
  try {
    const existing = await readKey(file);
    if (existing !== undefined) return existing;
    await makePrivateDirectory(stateDirectory);
    await createKey(file);
    const created = await readKey(file);
    if (created !== undefined) return created;
  } catch (error) {
    if (error instanceof HookcellError) throw error;
    throw refuse(file, error instanceof Error ? error.message : String(error), error);
  }
  throw refuse(file, 'it disappeared while it was read');
}

async function createKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(keyBytes));
    await handle.sync();
    // A link appears whole or not at all, and never replaces another process's key.
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function readKey(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    const mode = found.mode & 0o777;
    if (!found.isFile()) throw refuse(file, 'it is not a regular file');
    if (found.uid !== process.geteuid?.()) throw refuse(file, `it belongs to user ${found.uid}`);
    if ((mode & 0o077) !== 0)
      throw refuse(file, `its mode is ${mode.toString(8)}, expected 600; run: chmod 600 '${file}'`);
    if (found.size !== keyBytes)
      throw refuse(file, `it has ${found.size} bytes, expected ${keyBytes}; remove it to get a new one`);
    return new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
}

const otherPlace =
  'or name a directory of this user that can be written: HOME or XDG_STATE_HOME (stateDirectory in the library)';

function refuse(file: string, why: string, cause?: unknown): HookcellError {
  return new HookcellError('invalid_options', `the installation key ${file} cannot be used: ${why}; ${otherPlace}`, {
    cause,
    findings: [{ code: 'installation_key', message: `${why}; ${otherPlace}`, file }],
  });
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
