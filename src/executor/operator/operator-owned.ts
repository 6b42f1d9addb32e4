import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HookcellError } from '../../protocol/index.ts';
import { isWithin } from '../within.ts';

const otherPlace =
  'let this user read it, or name another directory: HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME (configuration.userDirectory and stateDirectory in the library)';

/** Larger files are not read. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The real path of something that only the operator can have put there: it belongs to root or this user, nobody else may
 * change it or exchange a directory above it, and it does not lie in the project, whose files the agent writes.
 *
 * @returns `undefined` when nothing is there.
 * @throws {HookcellError} `invalid_configuration`, with what to change.
 */
export async function operatorOwned(path: string, projectRoot: string): Promise<string | undefined> {
  const real = await realpath(path).catch(async (error: unknown) => {
    if (!isMissing(error)) throw refused(path, `cannot be read: ${messageOf(error)}; ${otherPlace}`);
    // A link that lost its target is no decision to do without what it named.
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw refused(path, 'expected a file or directory, got a link that leads nowhere; mend or remove it');
    return undefined;
  });
  if (real === undefined) return undefined;
  for (const place of [path, real]) {
    if (!isWithin(projectRoot, place)) continue;
    const message = `expected a place outside the project ${projectRoot}, whose files an agent may write; move it, or run hookcell in a smaller project`;
    throw refused(path, message);
  }
  const found = await stat(real);
  // Of a pipe or a device only its directories are judged: whoever reads it says that it is no file.
  const judged = found.isFile() || found.isDirectory() ? [{ path: real, found }] : [];
  for (let level = dirname(real); ; level = dirname(level)) {
    judged.push({ path: level, found: await stat(level) });
    if (dirname(level) === level) break;
  }
  refuseWhatOthersChange(path, judged);
  return real;
}

/**
 * Reads a file that {@link operatorOwned} found. What is judged is what is read: the same open file.
 *
 * @throws {HookcellError} `invalid_configuration`.
 */
export async function readOperatorOwned(real: string): Promise<string> {
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw refused(real, `cannot be read: ${messageOf(error)}`);
    },
  );
  try {
    return await readHandle(handle, real);
  } finally {
    await handle.close();
  }
}

async function readHandle(handle: FileHandle, file: string): Promise<string> {
  const found = await handle.stat();
  if (!found.isFile()) throw refused(file, 'expected a regular file');
  refuseWhatOthersChange(file, [{ path: file, found }]);
  if (found.size > maxBytes) throw refused(file, `expected at most ${maxBytes} bytes, got ${found.size}`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await handle.readFile());
  } catch {
    throw refused(file, 'expected UTF-8');
  }
}

/** Checks a directory whose entries are taken as the operator's. */
export async function checkOperatorDirectory(real: string): Promise<void> {
  refuseWhatOthersChange(real, [{ path: real, found: await stat(real) }]);
}

interface Judged {
  readonly path: string;
  readonly found: Stats;
}

/** Names all offenders at once, with one command: after `umask 002` that is the file and every directory of the user. */
function refuseWhatOthersChange(asked: string, judged: readonly Judged[]): void {
  const user = process.geteuid?.();
  const foreign = judged.filter(({ found }) => found.uid !== 0 && found.uid !== user);
  const exposed = judged.filter(({ found }) => mayBeChangedByOthers(found));
  if (foreign.length === 0 && exposed.length === 0) return;
  // The message begins with it.
  const nameOf = (path: string): string => (path === asked ? '' : `${path} `);
  const problems = [
    ...foreign.map(
      ({ path, found }) => `${nameOf(path)}belongs to user ${found.uid}, expected root or user ${user ?? '?'}`,
    ),
    ...exposed.map(
      ({ path, found }) => `${nameOf(path)}may be changed by others (mode ${(found.mode & 0o7777).toString(8)})`,
    ),
  ];
  const names = (list: readonly Judged[]): string => list.map(({ path }) => `'${path}'`).join(' ');
  const commands = [
    ...(foreign.length > 0 ? [`chown ${user ?? ''} ${names(foreign)}`] : []),
    ...(exposed.length > 0 ? [`chmod go-w ${names(exposed)}`] : []),
  ];
  throw refused(asked, `${problems.join(', ')}; run: ${commands.join(' && ')}`);
}

function mayBeChangedByOthers(found: Stats): boolean {
  // In a sticky directory (/tmp) others may add entries, and not exchange ours.
  const isSticky = found.isDirectory() && (found.mode & 0o1000) !== 0;
  return (found.mode & 0o022) !== 0 && !isSticky;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refused(file: string, message: string): HookcellError {
  return new HookcellError('invalid_configuration', `${file}: ${message}`, {
    findings: [{ code: 'not_the_operators', message, file }],
  });
}
