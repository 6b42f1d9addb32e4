import { refusedEnvironmentName } from '../protocol/index.ts';

/** `PATH` inside every sandbox, in the order of search. */
export const fixedPath: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];

/** `HOME` inside every sandbox: a scratch directory of its own. */
export const sandboxHome = '/home/hook';

export interface SandboxEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names that were granted but change how a program loads code; they were dropped. */
  readonly refused: readonly string[];
}

/**
 * The whole environment of a child, from nothing: fixed names, then what was granted, then `extra`.
 * @param granted names and values that the policy grants; a refused name is dropped and reported
 * @param extra what hookcell itself sets, such as `HOOKCELL_DEPTH`; not checked, and wins over `granted`
 * @param path `Program.path`: directories for the end of `PATH`
 */
export function sandboxEnvironment(
  granted: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>> = {},
  path: readonly string[] = [],
): SandboxEnvironment {
  const fixed = {
    PATH: [...fixedPath, ...path].join(':'),
    HOME: sandboxHome,
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    // Python reads and writes UTF-8 whatever its version thinks of the locale.
    PYTHONUTF8: '1',
    // From 3.11 on: a file of the project named `json.py` must not take the place of Python's own module.
    PYTHONSAFEPATH: '1',
  };
  const own = new Set(Object.keys(fixed));
  const isRefused = ([name, value]: [string, string]) =>
    own.has(name) || refusedEnvironmentName(name) || value.includes('\0');
  const entries = Object.entries(granted);
  return {
    env: { ...Object.fromEntries(entries.filter((entry) => !isRefused(entry))), ...fixed, ...extra },
    refused: entries.filter(isRefused).map(([name]) => name),
  };
}
