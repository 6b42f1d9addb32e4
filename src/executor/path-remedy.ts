import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { shellWord, shownPath } from '../protocol/index.ts';
import type { ResolvedProgram } from '../sandbox/index.ts';
import { projectOfPack } from './discover.ts';
import type { ResolvedPolicy } from './resolve-policy.ts';
import { isWithin } from './within.ts';

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

/** What names a program: the pack's file, absolute, and the words of its command. */
interface Named {
  readonly file: string;
  readonly words: readonly string[];
}

/** The same, but for a program that is not there the remedy that helps. */
export function programRemedy(program: ResolvedProgram, { file, words }: Named, projectRoot: string): ResolvedProgram {
  if (program.ok || !nothingThere.has(program.code)) return program;
  const remedy = otherProject(file, projectRoot) ?? fromTheRoot(file, words, projectRoot);
  return remedy === undefined ? program : { ...program, remedy };
}

/** A path that is meant from the pack, or a name without a slash, of what lies in the project. */
function fromTheRoot(file: string, words: readonly string[], projectRoot: string): string | undefined {
  for (const word of words.filter((one) => one !== '' && !isAbsolute(one) && !one.includes('\0'))) {
    for (const from of [projectRoot, dirname(file)]) {
      const meant = realPathOf(resolve(from, word));
      const path = `./${relative(projectRoot, meant)}`;
      if (path === word || !isWithin(projectRoot, meant) || !isFile(meant)) continue;
      return `paths start at the project's root, wherever the pack lies: write ${JSON.stringify(shownPath(path))}`;
    }
  }
  return undefined;
}

/** The same for paths that a pack asks for and that do not exist. */
export function policyRemedy(policy: ResolvedPolicy, file: string, projectRoot: string): ResolvedPolicy {
  if (policy.ok || policy.cause !== 'sandbox_setup_failed') return policy;
  const remedy = otherProject(file, projectRoot);
  return remedy === undefined ? policy : { ...policy, message: `${policy.message}; or ${remedy}` };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
