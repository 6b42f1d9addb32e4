import { isExecutable, expand, type Launch } from './expand.ts';
import { locateCommand } from './locate.ts';
import { problem, type LaunchProblem } from './problem.ts';
import { scriptArgument } from './script-argument.ts';
import type { Surroundings } from './surroundings.ts';

/** White space, or anything that a shell would read as more than a part of a name. */
const shellCharacters = /[\s"'`$&|;<>()*?[\]{}~#\\=!]/;

export function needsShell(command: string): boolean {
  return shellCharacters.test(command);
}

/**
 * A line for `/bin/sh -c`, never a login or interactive shell. Programs named in it that only the operator's `PATH` has are
 * bound; a line of plain words is checked as far as its program and script go, the rest is the shell's to find out.
 */
export function shellLine(line: string, around: Surroundings): Launch | LaunchProblem {
  const windows = windowsPath(line);
  if (windows !== undefined) {
    return problem(
      'windows_path',
      `a shell takes the backslashes out of the Windows path "${windows}"`,
      'write the path with forward slashes, or give the command as an array',
    );
  }
  const binds = new Set<string>();
  const path = new Set<string>();
  const words = plainWords(line);
  if (words !== undefined) {
    const failed = checkWords(words, around, binds);
    if (failed !== undefined) return failed;
  }
  for (const name of commandNames(line)) {
    const located = locateCommand(name, around);
    const launch = 'ok' in located ? located : expand(located, around);
    if ('ok' in launch) continue;
    launch.binds.forEach((bind) => binds.add(bind));
    launch.path.forEach((directory) => path.add(directory));
  }
  return { argv: ['/bin/sh', '-c', line], binds: [...binds], path: [...path] };
}

/** Says no early to what sh would answer with 126 or 127, and an interpreter with 2. */
function checkWords(words: readonly string[], around: Surroundings, binds: Set<string>): LaunchProblem | undefined {
  const program = words[0] ?? '';
  if (program.includes('/')) {
    const located = locateCommand(program, around);
    if ('ok' in located) return located;
    const launch = expand(located, around);
    if ('ok' in launch) return launch;
    if (launch.argv.length > 1 && !isExecutable(located.file)) {
      return problem(
        'not_executable',
        `${located.file} is not executable, and a shell line cannot run it through its "#!" line`,
        `make it executable: chmod +x '${located.file}'; or give the command as an array`,
      );
    }
  }
  const script = scriptArgument(words, around);
  if (script === undefined) return undefined;
  if ('ok' in script) return script;
  script.located.binds.forEach((bind) => binds.add(bind));
  return undefined;
}

/** The words of a line that uses nothing of the shell's language. */
function plainWords(line: string): string[] | undefined {
  const words = line.trim().split(/[ \t]+/);
  return words.every((word) => word !== '' && !/[\s"'`$&|;<>()*?[\]{}#\\=!]/.test(word)) ? words : undefined;
}

/** Words where a command stands, unquoted and without expansions. */
function commandNames(line: string): Set<string> {
  const names = [...line.matchAll(/(?:^|&&|\|\|?|;|\n)[ \t]*([\w.+/-]+)(?=[\s;&|]|$)/g)];
  return new Set(names.map((match) => match[1] ?? ''));
}

function windowsPath(line: string): string | undefined {
  const drive = /(?:^|[\s"=])([A-Za-z]:\\[^\s"']*)/.exec(line)?.[1];
  return drive ?? /^[ \t]*((?:\.{1,2}|[\w-]+)\\[\w.-]+(?:\\[\w.-]+)*)(?:\s|$)/.exec(line)?.[1];
}
