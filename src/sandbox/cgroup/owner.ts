import { readFileSync, readlinkSync } from 'node:fs';

/** The process for which groups are made. Its start time tells it from a later process with the same id. */
export interface GroupOwner {
  readonly pid: number;
  /** Clock ticks since boot, field 22 of `/proc/<pid>/stat`. */
  readonly startTime: string;
  /** Inode of its pid namespace: an id means nothing in another one. */
  readonly pidNamespace: string;
}

const NAME = /^hookcell-(\d+)-(\d+)-(\d+)-(\d+)$/;

/** This process. Throws when `/proc` is not mounted. */
export function currentOwner(): GroupOwner {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // With the /proc of another pid namespace, ids seen there are not ours: such an owner is never judged by a sweep.
  const seen = readlinkSync('/proc/self') === String(process.pid);
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  return { pid: process.pid, startTime: readStat(stat).startTime, pidNamespace: (seen && namespace) || 'unknown' };
}

/** Whether the process with this id *and* this start time lives. A zombie does not; one that is hidden from us does. */
export function processIsAlive(pid: number, startTime: string): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return exists(pid);
  }
  const found = readStat(stat);
  return found.startTime === startTime && found.state !== 'Z' && found.state !== 'X';
}

/** With `hidepid`, `/proc` does not show the processes of others, but a signal still tells them from none. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** The command name in parentheses may itself hold spaces and parentheses: fields are counted after the last one. */
function readStat(stat: string): { readonly state: string; readonly startTime: string } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
}

/** The directory name of an owner's groups; `index` tells apart several executors of one process. */
export function groupName(owner: GroupOwner, index: number): string {
  return `hookcell-${owner.pidNamespace}-${owner.pid}-${owner.startTime}-${index}`;
}

/** The owner in a directory name, or `undefined` for a directory that is not ours to judge. */
export function readGroupName(name: string): GroupOwner | undefined {
  const [, pidNamespace, pid, startTime] = NAME.exec(name) ?? [];
  if (pidNamespace === undefined || pid === undefined || startTime === undefined) return undefined;
  return { pidNamespace, pid: Number(pid), startTime };
}
