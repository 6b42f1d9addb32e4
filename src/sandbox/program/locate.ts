import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';

import { editDistance } from '../../protocol/index.ts';
import { isInside } from '../view/paths.ts';
import { isCoveredBelow } from '../view/secret-names.ts';
import { isSystemPath } from './installation.ts';
import { problem, type LaunchProblem } from './problem.ts';
import { installed, isOffered, isVirtualEnvironment, searchPath } from './search.ts';
import type { Located, Surroundings } from './surroundings.ts';

/** A program as a pack or an operator names it: a path when it holds a slash, else a bare name. */
export function locateCommand(name: string, around: Surroundings): Located | LaunchProblem {
  const found = name.includes('/') ? locateFile(name, around) : searchPath(name, around);
  if (!('ok' in found) || found.code !== 'not_found' || !/\s/u.test(name.trim())) return found;
  // `exec "python3 check.py"`, `"command": ["./check.py --fast"]`: one word by its quotes, several by intention.
  const remedy =
    'it is one word with spaces: write the program and its arguments as words of their own, or as a line for /bin/sh (of exec: --shell)';
  return { ...found, remedy: name.includes('/') ? `${found.remedy}; or ${remedy}` : remedy };
}

/**
 * The file at `name`, relative to the project root. A repository may name what it holds, what every sandbox shows, and
 * what the operator's `PATH` offers; anything else outside the project only when the operator named it.
 * @param within prefixes that are bound already, so that an installation's script may name its own interpreter
 */
export function locateFile(
  name: string,
  around: Surroundings,
  within: readonly string[] = [],
): Located | LaunchProblem {
  const named = resolve(around.projectRoot, name);
  const found = regularFile(named);
  if ('ok' in found) return found;
  const { real } = found;
  if (isInside(around.projectRoot, real)) return projectFile(real, around.projectRoot);
  if (isSystemPath(real) && !isInside(around.projectRoot, named)) return { file: named, binds: [], path: [] };
  if (isSystemPath(real)) return { file: isVirtualEnvironment(named) ? named : real, binds: [], path: [] };
  const granted =
    isSystemPath(named) ||
    isInside('/nix/store', real) ||
    within.some((prefix) => isInside(prefix, real)) ||
    isOffered(real, [basename(named), basename(real)], around) ||
    (around.outsideProject === 'bind' && isAbsolute(name) && !isInside(around.projectRoot, named));
  if (granted) return installed(named, real, around);
  // Whoever may name programs elsewhere has to do so by a whole path: a relative one leads where the repository likes.
  const whole = around.outsideProject === 'bind' ? `name it by its whole path, ${real}; or ` : '';
  return isInside(around.projectRoot, named)
    ? problem(
        'symlink_escapes',
        `${named} is a symbolic link to ${real}, outside the project`,
        `${whole}put the program itself into the project, or its directory on the PATH of the operator`,
      )
    : problem(
        'outside_project',
        `${named} is outside the project ${around.projectRoot} and not on the operator's PATH`,
        `${whole}move it into the project, or put its directory on the PATH of the operator`,
      );
}

function projectFile(real: string, projectRoot: string): Located | LaunchProblem {
  if (isCoveredBelow(projectRoot, real)) {
    return problem(
      'secret_file',
      `${real} has the name of a file that holds secrets, so it is not run and not shown`,
      'give the program another name',
    );
  }
  return { file: real, binds: [real], path: [] };
}

function regularFile(path: string): { real: string } | LaunchProblem {
  let stats: Stats;
  try {
    stats = statSync(path);
    if (stats.isFile()) return { real: realpathSync.native(path) };
  } catch (error) {
    return unreadable(path, error);
  }
  return stats.isDirectory()
    ? problem('is_directory', `${path} is a directory, not a program`, 'name a file in it')
    : problem('not_a_file', `${path} is not a regular file`, 'name a regular file');
}

function unreadable(path: string, error: unknown): LaunchProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES') {
    return problem(
      'not_accessible',
      `${path} cannot be reached: permission denied`,
      `check the modes of its directories`,
    );
  }
  if (code === 'ELOOP') return problem('symlink_loop', `${path} is a loop of symbolic links`, 'mend the link');
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    return problem('dangling_symlink', `${path} is a symbolic link to nothing`, 'mend the link');
  }
  const near = nearestNames(path);
  return problem(
    'not_found',
    `${path} does not exist`,
    near.length === 0
      ? `create it; ${dirname(path)} has nothing of a similar name`
      : `did you mean ${near.join(' or ')}?`,
  );
}

/** Up to three names in the same directory that differ by a few characters. */
function nearestNames(path: string): string[] {
  const wanted = basename(path);
  let names: string[];
  try {
    names = readdirSync(dirname(path)).slice(0, 1_000);
  } catch {
    return [];
  }
  return names
    .map((name) => ({ name, distance: stem(name) === stem(wanted) ? 1 : editDistance(name, wanted) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 4)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
