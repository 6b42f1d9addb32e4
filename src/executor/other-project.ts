import { realpathSync } from 'node:fs';
import { shellWord, shownPath } from '../protocol/index.ts';
import type { ResolvedProgram } from '../sandbox/index.ts';
import { projectOfPack } from './discover.ts';
import type { ResolvedPolicy } from './resolve-policy.ts';

/** Codes of launch problems that say: nothing is there. */
const nothingThere: ReadonlySet<string> = new Set(['not_found', 'missing_script']);

/**
 * What to do when paths of a pack lead nowhere because the pack lies in one project and is used in another. The project
 * is not changed to the pack's: whoever names `~/.hookcell/hooks` must not thereby show a home to hooks.
 *
 * @param file the pack's, absolute
 * @returns `undefined` when the pack is used in the project that it lies in, or lies in none
 */
function otherProject(file: string, projectRoot: string): string | undefined {
  const own = projectOfPack(file);
  if (own === undefined || realPathOf(own) === projectRoot) return undefined;
  const place = shownPath(own) === own ? shellWord(own) : shownPath(own);
  return `its paths start in ${shownPath(projectRoot)}, but the pack lies in the project ${shownPath(own)}: call hookcell there (cd ${place}; projectRoot in the library)`;
}

/** The same, but for a program that is not there the remedy that helps. */
export function programRemedy(program: ResolvedProgram, file: string, projectRoot: string): ResolvedProgram {
  if (program.ok || !nothingThere.has(program.code)) return program;
  const remedy = otherProject(file, projectRoot);
  return remedy === undefined ? program : { ...program, remedy };
}

/** The same for paths that a pack asks for and that do not exist. */
export function policyRemedy(policy: ResolvedPolicy, file: string, projectRoot: string): ResolvedPolicy {
  if (policy.ok || policy.cause !== 'sandbox_setup_failed') return policy;
  const remedy = otherProject(file, projectRoot);
  return remedy === undefined ? policy : { ...policy, message: `${policy.message}; or ${remedy}` };
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
