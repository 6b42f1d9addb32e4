import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { isInside } from '../view/paths.ts';
import { installationBinds, isSystemPath } from './installation.ts';
import { problem, type LaunchProblem } from './problem.ts';
import { followShim } from './shims.ts';
import type { Located, Surroundings } from './surroundings.ts';

/** Looks a bare name up on the fixed `PATH`, then on the operator's. Never in the project, whatever the operator's `PATH` says. */
export function searchPath(name: string, around: Surroundings): Located | LaunchProblem {
  for (const directory of around.fixedPath) {
    const real = executable(join(directory, name));
    if (real === undefined || isInside(around.projectRoot, real)) continue;
    return isSystemPath(real) ? { file: join(directory, name), binds: [], path: [] } : installed(real, real, around);
  }
  let remedy = `install it, or name the program by its path; looked in ${around.fixedPath.join(':')} and the operator's PATH`;
  for (const candidate of onHostPath(name, around)) {
    if (candidate.kind === 'program') return installed(candidate.path, candidate.real, around);
    remedy = candidate.remedy;
  }
  return problem('not_found', `there is no program "${name}"`, remedy);
}

/** Whether the operator's `PATH` leads to this very file: then the operator, not the repository, chose it. */
export function isOffered(real: string, names: readonly string[], around: Surroundings): boolean {
  return names.some((name) =>
    [...onHostPath(name, around)].some((candidate) => candidate.kind === 'program' && candidate.real === real),
  );
}

/** A program of an installation outside `/usr`: bound by the prefix of its named and of its real path. */
export function installed(named: string, real: string, around: Surroundings): Located {
  // A virtual environment is recognised by the path that its interpreter was started with.
  const file = isVirtualEnvironment(named) ? canonicalName(named) : real;
  const binds = [...new Set([...installationBinds(real, around.home), ...installationBinds(file, around.home)])];
  const bin = dirname(file);
  return { file, binds, path: ['bin', 'sbin'].includes(basename(bin)) ? [bin] : [] };
}

export function isVirtualEnvironment(file: string): boolean {
  return existsSync(join(dirname(dirname(file)), 'pyvenv.cfg'));
}

type Candidate =
  | { readonly kind: 'program'; readonly path: string; readonly real: string }
  | { readonly kind: 'unresolved'; readonly remedy: string };

function* onHostPath(name: string, around: Surroundings): Generator<Candidate> {
  for (const directory of around.hostPath) {
    const path = join(directory, name);
    if (executable(path) === undefined) continue;
    const shim = followShim(path);
    if (shim?.kind === 'unresolved') yield shim;
    const target = shim?.kind === 'program' ? shim.path : path;
    const real = shim?.kind === 'unresolved' ? undefined : executable(target);
    if (real !== undefined && !isInside(around.projectRoot, real)) yield { kind: 'program', path: target, real };
  }
}

/** The real path of an executable regular file. */
function executable(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    accessSync(path, constants.X_OK);
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The path with its directory resolved and its own last link kept. */
function canonicalName(path: string): string {
  return join(realpathSync.native(dirname(path)), basename(path));
}
