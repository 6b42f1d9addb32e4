import { createHash, randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { HookcellError } from '../../protocol/index.ts';
import { makePrivateDirectory } from '../private-directory.ts';
import { isWithin } from '../within.ts';
import { readRegular } from './read-pinned.ts';
import { TrustRecord } from './trust-record.ts';

/** Content that a later diff is shown from. */
export interface AcceptedContent {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** What the operator accepted, one record a project, in `<stateDirectory>/trust`: a directory of this user alone. */
export interface TrustStore {
  /** Whether there is a record for a project; it is not read. */
  has(projectRoot: string): boolean;
  read(projectRoot: string): TrustRecord | undefined;
  /** Accepted content by its hash, where it was kept. */
  content(projectRoot: string, sha256: string): Uint8Array | undefined;
  /** Every record, by project. */
  list(): readonly TrustRecord[];
  /** Writes a record, whole or not at all, in place of an earlier one. */
  accept(record: TrustRecord, contents: readonly AcceptedContent[]): Promise<void>;
  /** Whether there was a record to take away. */
  revoke(projectRoot: string): Promise<boolean>;
}

const maxRecordBytes = 4 * 1024 * 1024;
/** Larger content is known by its hash alone. */
const maxKeptBytes = 1024 * 1024;

/**
 * Opens the store; where there is none nothing is trusted. It is looked at anew by each call.
 *
 * @throws {HookcellError} `invalid_configuration` from every method, when the store or a record is not this user's alone
 * or cannot be understood: what was accepted must not be forgotten silently.
 */
export function openTrustStore(stateDirectory: string): TrustStore {
  const directory = join(stateDirectory, 'trust');
  const recordFile = (projectRoot: string): string => join(directory, `${keyOf(projectRoot)}.json`);
  const contentDirectory = (projectRoot: string): string => join(directory, `${keyOf(projectRoot)}.content`);

  function isThere(): boolean {
    const above = statOf(stateDirectory);
    if (above === undefined) return false;
    if ((above.mode & 0o022) !== 0 || !isOurs(above)) {
      const remedy = `it has to belong to this user, and nobody else may write to it: chmod go-w '${stateDirectory}'`;
      throw refused(stateDirectory, `is not private; ${remedy}`);
    }
    return requirePrivate(directory, true);
  }

  /** A repository must not bring its own record. One whose project is a whole home holds the store by necessity. */
  function requireOutside(projectRoot: string): void {
    if (!isWithin(projectRoot, realpathSync(stateDirectory)) || isHomeWithin(projectRoot)) return;
    throw refused(stateDirectory, `lies in the project ${projectRoot}; choose a state directory outside of it`);
  }

  return {
    has: (projectRoot) => isThere() && statOf(recordFile(projectRoot)) !== undefined,
    read(projectRoot) {
      const file = recordFile(projectRoot);
      if (!isThere()) return undefined;
      requireOutside(projectRoot);
      const record = readRecord(file);
      if (record !== undefined && record.project !== projectRoot) throw refused(file, `is for ${record.project}`);
      return record;
    },
    content(projectRoot, sha256) {
      if (!isThere()) return undefined;
      try {
        const { bytes } = readRegular(join(contentDirectory(projectRoot), sha256), maxKeptBytes);
        return sha256Of(bytes) === sha256 ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
    list() {
      const names = isThere() ? readdirSync(directory) : [];
      return names
        .filter((name) => /^[0-9a-f]{64}\.json$/u.test(name))
        .flatMap((name) => readRecord(join(directory, name)) ?? [])
        .toSorted((one, other) => (one.project < other.project ? -1 : 1));
    },
    async accept(record, contents) {
      await makePrivateDirectory(directory);
      isThere();
      requireOutside(record.project);
      const kept = contentDirectory(record.project);
      await mkdir(kept, { recursive: true, mode: 0o700 });
      for (const { sha256, bytes } of contents) {
        if (bytes.length <= maxKeptBytes) await writeWhole(join(kept, sha256), bytes);
      }
      await writeWhole(recordFile(record.project), Buffer.from(`${JSON.stringify(record, undefined, 1)}\n`), true);
      const current = new Set(contents.map(({ sha256 }) => sha256));
      const stale = readdirSync(kept).filter((name) => /^[0-9a-f]{64}$/u.test(name) && !current.has(name));
      await Promise.all(stale.map((name) => rm(join(kept, name), { force: true })));
    },
    async revoke(projectRoot) {
      const file = recordFile(projectRoot);
      if (!isThere() || statOf(file) === undefined) return false;
      // The record first: without it nothing is trusted.
      await rm(file);
      await rm(contentDirectory(projectRoot), { recursive: true, force: true });
      return true;
    },
  };
}

function readRecord(file: string): TrustRecord | undefined {
  if (!requirePrivate(file, false)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readRegular(file, maxRecordBytes).bytes);
    return TrustRecord.parse(JSON.parse(text));
  } catch (error) {
    throw refused(
      file,
      `is no trust record that this version understands; remove it, and accept the project again`,
      error,
    );
  }
}

/** First the content, then its name: nobody ever sees half of it, and of two writers one wins. */
async function writeWhole(file: string, bytes: Uint8Array, mustLast = false): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    if (mustLast) await handle.sync();
    await rename(draft, file);
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

function keyOf(projectRoot: string): string {
  return sha256Of(Buffer.from(projectRoot));
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** False when nothing is there. */
function requirePrivate(path: string, isDirectory: boolean): boolean {
  const found = statOf(path);
  if (found === undefined) return false;
  const mode = (found.mode & 0o777).toString(8);
  if (isDirectory ? !found.isDirectory() : !found.isFile()) {
    throw refused(path, `is not a ${isDirectory ? 'directory' : 'regular file'}; remove it`);
  }
  if (!isOurs(found))
    throw refused(path, `belongs to user ${found.uid}, expected ${process.geteuid?.() ?? '?'}; remove it`);
  if ((found.mode & 0o077) === 0) return true;
  throw refused(
    path,
    `has the mode ${mode}, expected one of its owner alone; look who changed it, then: chmod go= '${path}'`,
  );
}

function isOurs({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}

/** Of the path itself, were it a link. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const remedy = 'name a directory of this user: HOME or XDG_STATE_HOME (stateDirectory in the library)';
    throw refused(path, `cannot be reached: ${why}; ${remedy}`, error);
  }
}

function refused(path: string, why: string, cause?: unknown): HookcellError {
  return new HookcellError('invalid_configuration', `the trust store cannot be used: ${path} ${why}`, {
    cause,
    findings: [{ code: 'trust_store', message: why, file: path }],
  });
}

/** By the user database alone: `HOME` may come from the project. A user that is not in it has no home here. */
function isHomeWithin(projectRoot: string): boolean {
  try {
    return isWithin(projectRoot, userInfo().homedir);
  } catch {
    return false;
  }
}
