import { basename, isAbsolute, resolve } from 'node:path';

import { locateFile } from './locate.ts';
import { problem, type LaunchProblem } from './problem.ts';
import type { Located, Surroundings } from './surroundings.ts';

const interpreters = /^(?:python|pypy|node|nodejs|bash|sh|dash|ash|zsh|ksh|perl|ruby|deno|bun|php|lua|tsx)[\d.]*$/;
const shells = /^(?:bash|sh|dash|ash|zsh|ksh)[\d.]*$/;
const scriptName = /\.(?:py|m?js|cjs|m?ts|cts|sh|bash|pl|rb|php|lua)$/;

/** The script argument of a known interpreter, where one is plain to see. */
export interface ScriptArgument {
  readonly index: number;
  readonly located: Located;
}

/**
 * Checks `python3 ./missing.py` before the launch: the interpreter would exit 2, which a host that reads exit codes takes for
 * an answer. Only an argument that is plainly a path counts; after `-c`, `-m`, `-e` and the like nothing is checked.
 */
export function scriptArgument(
  argv: readonly string[],
  around: Surroundings,
): ScriptArgument | LaunchProblem | undefined {
  const index = scriptIndex(argv);
  const name = index === undefined ? undefined : argv[index];
  if (index === undefined || name === undefined) return undefined;
  if (name.startsWith('~/')) {
    return problem(
      'tilde',
      `"${name}" is in the home directory, which does not exist inside the sandbox`,
      'keep the script in the project, or name it by its absolute path',
    );
  }
  const located = locateFile(isAbsolute(name) ? name : resolve(around.projectRoot, name), around);
  if (!('ok' in located)) return { index, located };
  return located.code === 'not_found'
    ? problem('missing_script', `the script of "${argv.join(' ')}" is missing: ${located.message}`, located.remedy)
    : located;
}

function scriptIndex(argv: readonly string[]): number | undefined {
  const interpreter = basename(argv[0] ?? '');
  if (!interpreters.test(interpreter)) return undefined;
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') continue;
    if (word.startsWith('-')) {
      if (takesCode(word, interpreter)) return undefined;
    } else if (!(word === 'run' && /^(?:deno|bun)/.test(interpreter))) {
      return isPlainPath(word) ? index : undefined;
    }
  }
  return undefined;
}

function takesCode(option: string, interpreter: string): boolean {
  if (shells.test(interpreter)) return /^-[a-z]*[cs]/i.test(option);
  return /^-(?:[a-zA-Z]*[cmepE]|-eval|-print|-test|-run)\b/.test(option) || option === '-';
}

function isPlainPath(word: string): boolean {
  return !/[*?$`"'\\:]/.test(word) && (word.includes('/') || scriptName.test(word));
}
