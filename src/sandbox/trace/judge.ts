import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readablePath, writablePath } from '../view/granted-path.ts';
import { isInside } from '../view/paths.ts';
import type { PathAttempt } from './attempts.ts';
import { isNoise } from './noise.ts';
import type { FileRefusal } from './refusal.ts';

export interface JudgeSetting {
  readonly projectRoot: string | undefined;
  /** Already shown, by their real paths. */
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly home: string;
  readonly isCovered: (path: string) => boolean;
  /** What the program says of itself: its scripts and its command lines. */
  readonly mentions: string;
}

/** A path of a hostile program may lie on a dead network file system. */
const lookMs = 2_000;

/**
 * Tells what the wall refused from what would have failed anywhere: a path that does not exist outside is not the wall's
 * doing. Looks at this machine's files; opens none.
 */
export async function judgePaths(attempts: Iterable<PathAttempt>, setting: JudgeSetting): Promise<FileRefusal[]> {
  const judged = await Promise.all([...attempts].map((attempt) => judge(attempt, setting)));
  const refusals = new Map<string, FileRefusal>();
  for (const refusal of judged) {
    if (refusal === undefined) continue;
    const key = JSON.stringify([refusal.path, refusal.tried, refusal.why]);
    const known = refusals.get(key);
    refusals.set(key, known === undefined ? refusal : { ...known, times: known.times + refusal.times });
  }
  return [...refusals.values()];
}

async function judge(attempt: PathAttempt, setting: JudgeSetting): Promise<FileRefusal | undefined> {
  const { path, error, times } = attempt;
  if (isNoise(path, attempt.tried) && !setting.mentions.includes(path)) return undefined;
  const real = await outside(path);
  // Opened for writing and made when missing: what is there is not made.
  const tried = attempt.tried === 'create' && real !== undefined ? 'write' : attempt.tried;
  const base = { kind: 'file', path, tried, times } as const;
  if (error === undefined) return { ...base, why: 'masked', ...readGrant(path) };
  if (error === 'EROFS') return { ...base, why: 'read-only', ...(await writeGrant(path, setting)) };
  if (error === 'EACCES' || error === 'EPERM') return { ...base, why: 'permissions', remedy: modeRemedy(attempt) };
  if (real !== undefined) {
    if (isNoise(real, tried) && !setting.mentions.includes(path)) return undefined;
    if (setting.isCovered(path)) return { ...base, why: 'masked', ...readGrant(real) };
    // The view holds real paths: a link that leads there is not in it, whatever is granted.
    if (real !== path && isShown(real, setting))
      return {
        ...base,
        why: 'link',
        remedy: `the sandbox has no symbolic links of yours: name ${real}, which it shows`,
      };
    const changes = tried === 'write' || tried === 'create';
    return { ...base, why: 'not-in-view', ...(changes ? await writeGrant(path, setting) : readGrant(real)) };
  }
  // What is to be made does not exist; the place where it is to be made may.
  if (tried !== 'create' || (await outside(dirname(path))) === undefined) return undefined;
  return { ...base, why: 'no-place', ...(await writeGrant(path, setting)) };
}

function isShown(real: string, { readPaths, writePaths }: JudgeSetting): boolean {
  return [...readPaths, ...writePaths].some((granted) => isInside(granted, real));
}

function modeRemedy({ tried }: PathAttempt): string {
  if (tried === 'execute') return 'make it executable: chmod +x';
  return "the file's own mode or owner forbids it, and no grant changes that: look at it with ls -l";
}

/** Never suggested. An operator who names one gets what he named. */
const systemSecrets = /^\/etc\/(?:g?shadow-?|sudoers(?:\.d\/.*)?|ssl\/private\/.*|ssh\/ssh_host_.*_key)$/u;

type Advice = Pick<FileRefusal, 'grant' | 'remedy'>;

function readGrant(path: string): Advice {
  if (systemSecrets.test(path))
    return { remedy: 'it holds credentials of this machine: nothing that a hook should see' };
  const granted = readablePath(path);
  if ('ok' in granted) return { remedy: `${granted.message}; ${granted.remedy}` };
  return { grant: { access: 'read', path: granted.path } };
}

/** Writes are granted for what exists: the file, else the directory that is to hold it. */
async function writeGrant(path: string, { projectRoot, writePaths, home }: JudgeSetting): Promise<Advice> {
  const target = (await outside(path)) ?? (await outside(dirname(path)));
  if (target === undefined) return { remedy: 'writing is granted for existing paths only: make the directory first' };
  const closed = target === projectRoot || writePaths.some((granted) => isInside(granted, target));
  if (closed && target !== path) {
    const remedy = `nothing can be made in ${target}, since it holds or may hold agent or hook configuration, or leads to an accepted file; make the file first and grant it, or write into a directory of its own`;
    return { remedy };
  }
  const granted = writablePath(target, projectRoot, home);
  if ('ok' in granted) return { remedy: `${granted.message}; ${granted.remedy}` };
  return { grant: { access: 'write', path: granted.path } };
}

/** The real path on this machine, if there is one, and it can be found soon. */
async function outside(path: string): Promise<string | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), lookMs).unref();
  });
  return Promise.race([realpath(path).catch(() => undefined), late]);
}
