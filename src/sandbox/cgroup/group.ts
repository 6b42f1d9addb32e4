import path from 'node:path';
import { makeDirectory, readControl, readCounter, removeDirectory, type GroupDirectory } from './directory.ts';
import { applyLimits, type GroupLimits } from './group-limits.ts';
import { killDirectories } from './kill.ts';

/** The group of one child, in each hierarchy that serves. Every method but `setLimits` works on a group that is gone. */
export interface Group {
  /** Absolute paths of the files into which a child writes its process id to join; empty where there is no cgroup. */
  readonly procsFiles: readonly string[];
  /** May be called again, also while processes run. Throws when the kernel refuses a limit. */
  setLimits(limits: GroupLimits): void;
  /** Ends every process in it at once; they are dying when this returns, not yet gone. The group is used up. */
  kill(): void;
  /** Since the group was made: processes ended for lack of memory, and forks refused by the process limit. */
  events(): GroupEvents;
  /** No process is left, zombies apart. */
  isEmpty(): boolean;
  /** Removes the group; waits about 2 s at most for dying processes. `false` when it stays. Not for the critical path. */
  remove(): Promise<boolean>;
}

export interface GroupEvents {
  readonly oomKills: number;
  readonly processLimitHits: number;
}

/** Makes a group below each parent. Throws when one cannot be made, and leaves none then. */
export function createGroup(parents: readonly GroupDirectory[], name: string): Group {
  const directories: GroupDirectory[] = [];
  try {
    for (const parent of parents) {
      const directory = { ...parent, path: path.join(parent.path, name) };
      if (!makeDirectory(directory.path)) throw new Error(`cgroup: the group ${directory.path} exists already`);
      directories.push(directory);
    }
  } catch (error) {
    for (const directory of directories) void removeDirectory(directory.path);
    throw error;
  }
  return {
    procsFiles: directories.map((directory) => path.join(directory.path, 'cgroup.procs')),
    setLimits: (limits) => {
      for (const directory of directories) applyLimits(directory, limits);
    },
    kill: () => killDirectories(directories),
    events: () => ({
      oomKills: total(directories.map(countOomKills)),
      processLimitHits: total(directories.map(countProcessLimitHits)),
    }),
    isEmpty: () => directories.every((directory) => !readControl(directory.path, 'cgroup.procs')?.trim()),
    remove: async () => {
      const removed = await Promise.all(directories.map((directory) => removeDirectory(directory.path)));
      return removed.every(Boolean);
    },
  };
}

function countOomKills({ path: directory, version, controllers }: GroupDirectory): number {
  if (!controllers.includes('memory')) return 0;
  return readCounter(directory, version === 2 ? 'memory.events' : 'memory.oom_control', 'oom_kill');
}

function countProcessLimitHits({ path: directory, controllers }: GroupDirectory): number {
  return controllers.includes('pids') ? readCounter(directory, 'pids.events', 'max') : 0;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
