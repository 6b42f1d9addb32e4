import type { Limits } from '../policy.ts';

/**
 * One word for a POSIX shell, whatever it holds, on one line: a slot's shell knows `$n` as a newline. A NUL cannot be passed to any program:
 * throws a `TypeError`.
 */
export function quoteForShell(word: string): string {
  if (word.includes('\0')) throw new TypeError(`no program can be given a NUL: ${JSON.stringify(word.slice(0, 80))}`);
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`).replaceAll('\n', `'"$n"'`)}'`;
}

/**
 * `ulimit` lines: the second belt under the cgroup, and the only one where there is none. Where the caller itself lives under
 * a lower limit, which nobody may raise, that one stays.
 */
export function rlimitLine(limits: Limits, options: { cores: number; data: boolean }): string {
  const cpuSeconds = Math.ceil(limits.timeoutMs / 1000) * options.cores + 1;
  return [
    'ulimit -c 0',
    limitLine('n', limits.maxOpenFiles),
    limitLine('f', Math.ceil(limits.maxFileBytes / 512)),
    limitLine('t', cpuSeconds),
    // Not the address space: Node reserves gigabytes of it and would not start.
    ...(options.data ? [limitLine('d', Math.ceil(limits.memoryBytes / 1024))] : []),
  ].join(' && ');
}

function limitLine(option: string, value: number): string {
  // A hard limit of `unlimited` fails the comparison, as it should: then something else is wrong.
  return `{ ulimit -${option} ${value} 2>/dev/null || [ "$(ulimit -H -${option})" -lt ${value} ]; }`;
}

/**
 * argv that sets the process limit from inside the new user namespace, where the kernel counts this sandbox's processes alone
 * (Linux 5.14 and later); set outside, it would count all of the user's.
 */
export function limitProcesses(argv: readonly string[], maxProcesses: number): string[] {
  // dash calls the option -p, every other shell -u.
  const script =
    'ulimit -u "$0" 2>/dev/null || ulimit -p "$0" 2>/dev/null || [ "$(ulimit -H -u 2>/dev/null || ulimit -H -p)" -lt "$0" ] || exit 126; exec "$@"';
  return ['/bin/sh', '-c', script, String(maxProcesses), ...argv];
}
