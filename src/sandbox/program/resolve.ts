import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import { fixedPath } from '../environment.ts';
import { operatorHome } from '../home-directory.ts';
import { isInside } from '../view/paths.ts';
import { expand, type Launch } from './expand.ts';
import { locateCommand } from './locate.ts';
import { problem, type LaunchProblem, type ResolvedProgram } from './problem.ts';
import { scriptArgument } from './script-argument.ts';
import { needsShell, shellLine } from './shell-line.ts';
import type { Surroundings } from './surroundings.ts';

export interface ProgramRequest {
  /** An array is an argument vector; a string is a program or, with shell characters, a line for `/bin/sh -c`. */
  readonly command: string | readonly string[];
  /** With it, a string `command` is the program, whatever characters it has. */
  readonly args?: readonly string[];
  /** The string is a shell line even when it looks like a program. */
  readonly shell?: boolean;
  /** Absolute; relative programs start here, and it is the working directory. */
  readonly projectRoot: string;
  /** The operator's `PATH`, searched for what the fixed one lacks. */
  readonly hostPath?: string;
  /** Replaces `/usr/local/bin:/usr/bin:/bin`. */
  readonly fixedPath?: string;
  /** The operator's home directory; looked up when absent. */
  readonly home?: string;
  /** `bind`: the operator named the program, so a path outside the project is bound. Packs keep the default, `refuse`. */
  readonly outsideProject?: 'refuse' | 'bind';
  /** Content that is known already: what such a file's `#!` line says is not read again. */
  readonly contentOf?: (file: string) => Uint8Array | undefined;
}

/**
 * Finds what a command means before anything is launched (PROTOCOL section 6): the final argument vector, and what has to
 * be bound so that it can start. Reads the file system, runs nothing.
 * @example
 * resolveProgram({ command: './scripts/check.mjs', projectRoot: '/repo/app', hostPath: '/home/me/.nvm/versions/node/v22/bin' })
 * // { ok: true, program: { argv: ['/home/me/.nvm/versions/node/v22/bin/node', '/repo/app/scripts/check.mjs'], … } }
 */
export function resolveProgram(request: ProgramRequest): ResolvedProgram {
  const around = surroundings(request);
  if ('ok' in around) return around;
  const launch = launchOf(request, around);
  if ('ok' in launch) return launch;
  const program = { argv: launch.argv, cwd: around.projectRoot, binds: launch.binds };
  return { ok: true, program: launch.path.length === 0 ? program : { ...program, path: launch.path } };
}

function launchOf(request: ProgramRequest, around: Surroundings): Launch | LaunchProblem {
  const { command, args, shell } = request;
  const words = typeof command === 'string' ? [command, ...(args ?? [])] : [...command, ...(args ?? [])];
  if (words[0] === undefined || words[0].trim() === '') {
    return problem('empty_command', 'the command is empty', 'name a program');
  }
  if (words.some((word) => word.includes('\0'))) {
    return problem('nul_in_command', 'the command holds a NUL character, which no argument can', 'remove it');
  }
  const isLine = typeof command === 'string' && args === undefined && (shell === true || needsShell(command));
  if (isLine) return shellLine(command, around);
  if (shell === true)
    return problem('shell_arguments', 'a shell line is one string', 'give the whole line as one argument');
  return argumentVector(words[0], words.slice(1), around);
}

function argumentVector(name: string, args: readonly string[], around: Surroundings): Launch | LaunchProblem {
  const located = locateCommand(name, around);
  if ('ok' in located) return located;
  const launch = expand(located, around);
  if ('ok' in launch) return launch;
  const script = scriptArgument([name, ...args], around);
  if (script === undefined) return { ...launch, argv: [...launch.argv, ...args] };
  if ('ok' in script) return script;
  // By its real path: a symlink to it may not be part of the view.
  const rewritten = args.with(script.index - 1, script.located.file);
  return {
    argv: [...launch.argv, ...rewritten],
    binds: [...new Set([...launch.binds, ...script.located.binds])],
    path: launch.path,
  };
}

function surroundings(request: ProgramRequest): Surroundings | LaunchProblem {
  let projectRoot: string;
  try {
    projectRoot = realpathSync.native(request.projectRoot);
  } catch {
    return problem('no_project', `the project ${request.projectRoot} does not exist`, 'start in an existing directory');
  }
  const hostPath = once(() => directoriesOf(request.hostPath ?? '', projectRoot));
  const home = once(() => realHome(request.home ?? operatorHome()));
  return {
    projectRoot,
    fixedPath: request.fixedPath?.split(':') ?? fixedPath,
    // Most programs need neither, and there may be thousands of them.
    get hostPath() {
      return hostPath();
    },
    get home() {
      return home();
    },
    outsideProject: request.outsideProject ?? 'refuse',
    ...(request.contentOf === undefined ? {} : { contentOf: request.contentOf }),
  };
}

/** Real directories of a `PATH`, without relative entries (they mean the current directory) and those inside the project. */
function directoriesOf(path: string, projectRoot: string): string[] {
  return path.split(':').filter((entry) => {
    if (!isAbsolute(entry)) return false;
    try {
      return !isInside(projectRoot, realpathSync.native(entry));
    } catch {
      return false;
    }
  });
}

function realHome(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    return home;
  }
}

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}
