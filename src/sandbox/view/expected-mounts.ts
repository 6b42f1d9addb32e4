import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';

import { quoteForShell, type LaunchResult } from '../launch/index.ts';
import type { Mount } from './mounts.ts';
import { isInside } from './paths.ts';
import { viewProblem, type ViewProblem } from './problem.ts';

/** A mount that has to be where it belongs, and to show what was looked at, before the program starts. */
export interface ExpectedMount {
  readonly target: string;
  /** `dev:ino` of what is bound there; a file system of the sandbox's own has none. */
  readonly identity?: string;
}

/** Linux's O_PATH, which Node does not name: to open what a path names, of any kind, without reading it. */
const O_PATH = 0o10000000;

/**
 * The mounts at and below paths that handlers may write to. bubblewrap binds by path, and another handler with the same grant, running
 * at this moment, can put a symbolic link in the place of any directory in it: to a place outside of every grant.
 */
export function expectedMounts(
  mounts: readonly Mount[],
  writePaths: readonly string[],
): readonly ExpectedMount[] | ViewProblem {
  const expected = new Map<string, ExpectedMount>();
  for (const mount of mounts) {
    const { target } = mount;
    if (!writePaths.some((path) => isInside(path, target))) continue;
    if (mount.type === 'tmpfs') expected.set(target, { target });
    else if ('source' in mount) {
      const identity = identityOf(mount.source);
      if (identity === undefined) return viewProblem('path_exchanged', `${mount.source} ${exchanged}`, exchangedRemedy);
      expected.set(target, { target, identity });
    }
  }
  return [...expected.values()];
}

/** What really lies at a path that leads through no symbolic link: held while its place is asked for, so no exchange goes unnoticed. */
function identityOf(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
    const place = readlinkSync(`/proc/self/fd/${descriptor}`);
    const stats = fstatSync(descriptor, { bigint: true });
    return place === path && !stats.isSymbolicLink() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    // Gone since it was looked at, which is an exchange as well.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * argv that looks, from inside and before the program, whether every mount is where it belongs and shows what it should; a mount that
 * an exchange led elsewhere is seen by its place, another directory by its identity. Else it says `complaint` on stderr and exits with
 * `exchangedCode`.
 */
export function checkMounts(argv: readonly string[], expected: readonly ExpectedMount[], complaint: string): string[] {
  const bound = expected.filter(({ identity }) => identity !== undefined);
  const script = [
    "n='\n'",
    `fail() { echo ${quoteForShell(complaint)} >&2; exit ${exchangedCode}; }`,
    'seen=$n',
    'while read -r id parent device root point rest; do seen=$seen$point$n; done </proc/self/mountinfo',
    'IFS=$n; set -f',
    `points=${quoteForShell(expected.map(({ target }) => asInMountinfo(target)).join('\n'))}`,
    'for point in $points; do',
    '  case "$seen" in *"$n$point$n"*) ;; *) fail ;; esac',
    'done',
    `[ "$(PATH=/usr/bin:/bin stat -c %d:%i -- "$@")" = ${quoteForShell(bound.map(({ identity }) => identity).join('\n'))} ] || fail`,
    `exec ${argv.map((word) => quoteForShell(word)).join(' ')}`,
  ];
  return ['/bin/sh', '-c', script.join('\n'), 'hookcell-check', ...bound.map(({ target }) => target)];
}

/** Says of a launch whether its check failed, so that the program was not started. Whoever imitates that is blocked as well. */
export function judgeExchange(
  launched: LaunchResult,
  complaint: string | undefined,
): LaunchResult & { readonly remedy?: string } {
  if (complaint === undefined || launched.exit.code !== exchangedCode) return launched;
  if (!Buffer.from(launched.stderr).toString('latin1').includes(complaint)) return launched;
  return { ...launched, kind: 'not-built', detail: `something in a write path ${exchanged}`, remedy: exchangedRemedy };
}

const exchangedCode = 125;
const exchanged = 'was exchanged or removed while the sandbox was built, so that another place would have been shown';
const exchangedRemedy =
  'let nothing else change that directory meanwhile, and look at what did: an attack looks like this';

/** The kernel's own way to write a path in that file. */
function asInMountinfo(path: string): string {
  return path.replaceAll(/[ \t\n\\]/gu, (unit) => `\\${unit.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
