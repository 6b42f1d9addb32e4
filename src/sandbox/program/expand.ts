import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

import { isSystemPath } from './installation.ts';
import { locateCommand, locateFile } from './locate.ts';
import { problem, type LaunchProblem } from './problem.ts';
import { searchPath } from './search.ts';
import { envSplit, headerBytes, likelyShebang, readHeader, type Header, type Shebang } from './shebang.ts';
import type { Located, Surroundings } from './surroundings.ts';

/** What is really executed for a file: its interpreters written out, so that the kernel need not find them inside. */
export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly binds: readonly string[];
  readonly path: readonly string[];
}

/** As deep as the kernel follows interpreters that are scripts themselves. */
const deepestInterpreter = 4;

/** Turns a located file into an argument vector. A script needs no executable bit: it runs through its shebang. */
export function expand(located: Located, around: Surroundings, depth = 0): Launch | LaunchProblem {
  const { file } = located;
  const known = around.contentOf?.(file);
  const header = known === undefined ? headerOf(file) : readHeader(known.subarray(0, headerBytes), file);
  if (header.kind === 'problem') return header.problem;
  if (header.kind !== 'shebang') return plain(located, header.kind);
  if (depth >= deepestInterpreter) {
    return problem('interpreter_loop', `the interpreters of ${file} are scripts of scripts`, 'name a real interpreter');
  }
  const interpreter = interpreterOf(header.shebang, located, around);
  if ('ok' in interpreter) return interpreter;
  const launch = expand(interpreter.located, around, depth + 1);
  if ('ok' in launch) return launch;
  return {
    argv: [...launch.argv, ...interpreter.words, file],
    binds: [...new Set([...launch.binds, ...located.binds])],
    path: [...new Set([...launch.path, ...located.path])],
  };
}

function plain(located: Located, kind: 'binary' | 'text'): Launch | LaunchProblem {
  const { file } = located;
  const runnable = isExecutable(file);
  if (kind === 'text') {
    return problem(
      'no_shebang',
      `${file} has no "#!" line, so nothing says what runs it`,
      `write one as its first line, such as ${likelyShebang(file)}${runnable ? '' : ', or name the interpreter in the command'}`,
    );
  }
  if (!runnable) return problem('not_executable', `${file} is not executable`, `make it so: chmod +x '${file}'`);
  return { argv: [file], binds: located.binds, path: located.path };
}

interface Interpreter {
  readonly located: Located;
  readonly words: readonly string[];
}

function interpreterOf(shebang: Shebang, script: Located, around: Surroundings): Interpreter | LaunchProblem {
  const { interpreter, argument } = shebang;
  const found = locateFile(interpreter, around, script.binds);
  if ('ok' in found) return missingInterpreter(found, interpreter, script.file, around);
  const words = argument === undefined ? [] : [argument];
  if (basename(interpreter) !== 'env' || !isSystemPath(found.file)) return { located: found, words };
  return throughEnv(found, argument, script.file, around);
}

/** `env` looks on `PATH` inside, where an interpreter of the operator's is not: look it up here instead. */
function throughEnv(
  env: Located,
  argument: string | undefined,
  script: string,
  around: Surroundings,
): Interpreter | LaunchProblem {
  if (argument === undefined) {
    return problem('empty_shebang', `the "#!" line of ${script} names no interpreter`, 'write "#!/usr/bin/env NAME"');
  }
  const split = argument.startsWith('-') ? envSplit(argument) : [argument];
  const [name, ...words] = split ?? [];
  // Options and assignments are left to env itself.
  if (name === undefined || name.startsWith('-') || name.includes('=')) return { located: env, words: [argument] };
  if (/\s/.test(name)) {
    return problem(
      'env_arguments',
      `the "#!" line of ${script} hands "${name}" to env as one name`,
      `write "#!/usr/bin/env -S ${name}"`,
    );
  }
  const located = locateCommand(name, around);
  return 'ok' in located ? missingInterpreter(located, name, script, around) : { located, words };
}

function missingInterpreter(cause: LaunchProblem, name: string, script: string, around: Surroundings): LaunchProblem {
  if (cause.code !== 'not_found') return cause;
  const bare = basename(name);
  const elsewhere = name.includes('/') && !('ok' in searchPath(bare, around));
  return problem(
    'missing_interpreter',
    `${script} asks for the interpreter "${name}", which does not exist`,
    elsewhere ? `write "#!/usr/bin/env ${bare}" as its first line` : `install ${bare}; ${cause.remedy}`,
  );
}

function headerOf(file: string): Header {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Set-uid programs are often executable but not readable.
    if (isExecutable(file)) return { kind: 'binary' };
    return {
      kind: 'problem',
      problem: problem('not_accessible', `${file} cannot be read: permission denied`, `check its mode`),
    };
  }
  try {
    const header = new Uint8Array(headerBytes);
    return readHeader(header.subarray(0, readSync(descriptor, header)), file);
  } finally {
    closeSync(descriptor);
  }
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
