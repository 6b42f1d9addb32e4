import { readdirSync, readFileSync } from 'node:fs';

/** A living process, as `/proc` shows it. */
export interface Survivor {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every living process for which `matches` holds; zombies do not live. */
export function processesWhere(matches: (process: Survivor, read: (file: string) => string) => boolean): Survivor[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((pid) => {
      const read = (file: string): string => readProc(pid, file);
      const stat = read('stat');
      const [state = 'X', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || state === 'Z' || state === 'X') return [];
      const found = { pid: Number(pid), parent: Number(parent), command: read('cmdline').replaceAll('\0', ' ') };
      return matches(found, read) ? [found] : [];
    });
}

/** Every living process that has this text in its command line or its environment. */
export function processesWith(token: string): Survivor[] {
  return processesWhere(({ command }, read) => command.includes(token) || read('environ').includes(token));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
