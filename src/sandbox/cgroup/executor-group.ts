import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory, readControl, removeDirectory, tryControl, type GroupDirectory } from './directory.ts';
import { createGroup, type Group } from './group.ts';
import { hierarchiesOf } from './hierarchies.ts';
import { killDirectories } from './kill.ts';
import type { CgroupPlan, Controller } from './layout.ts';
import { groupName, type GroupOwner } from './owner.ts';

/** The group that holds all groups of one executor, so that one write ends everything it started. */
export interface ExecutorGroup {
  /** What really bounds the groups made here, by version; a controller that is missing is not enforced. */
  readonly controls: { readonly memory?: 1 | 2; readonly pids?: 1 | 2; readonly kill: boolean };
  /** `cgroup.kill` of this group, for a guardian process: writing 1 ends every child. */
  readonly killFile?: string;
  /** What could not be made although the plan promised it. */
  readonly notes: readonly string[];
  /** `number` is unique within this executor. Throws when the kernel refuses a group. */
  createGroup(number: number): Group;
  /** Ends every process of every group. Nothing can be started here afterwards. */
  killAll(): void;
  /** Removes this group and all within it; waits about 2 s for dying processes. `false` when something stays. */
  remove(): Promise<boolean>;
}

/** Executors of one process: far more than anybody runs, so that a broken tree cannot loop. */
const MAX_INDEX = 10_000;

/**
 * Makes the group of one executor, in each hierarchy of the plan. A hierarchy that refuses is left out and named in
 * `notes`; without any, the groups are empty shells and `controls` says that nothing is enforced.
 */
export function createExecutorGroup(plan: CgroupPlan, owner: GroupOwner): ExecutorGroup {
  const notes: string[] = [];
  const directories: GroupDirectory[] = [];
  for (const hierarchy of hierarchiesOf(plan)) {
    try {
      directories.push(makeExecutorDirectory(hierarchy, owner));
    } catch (error) {
      notes.push(error instanceof Error ? error.message : String(error));
    }
  }
  const versionOf = (name: Controller) => directories.find(({ controllers }) => controllers.includes(name))?.version;
  const memory = versionOf('memory');
  const pids = versionOf('pids');
  const killFile = directories
    .filter(({ version }) => version === 2)
    .map((directory) => path.join(directory.path, 'cgroup.kill'))
    .find((file) => existsSync(file));
  return {
    controls: { ...(memory && { memory }), ...(pids && { pids }), kill: killFile !== undefined },
    ...(killFile !== undefined && { killFile }),
    notes,
    createGroup: (number) => createGroup(directories, `cell-${number}`),
    killAll: () => killDirectories(directories),
    remove: async () => {
      const removed = await Promise.all(directories.map((directory) => removeDirectory(directory.path)));
      return removed.every(Boolean);
    },
  };
}

function makeExecutorDirectory(hierarchy: GroupDirectory, owner: GroupOwner): GroupDirectory {
  if (hierarchy.version === 2) enable(hierarchy.path, hierarchy.controllers);
  for (let index = 0; index < MAX_INDEX; index += 1) {
    const directory = path.join(hierarchy.path, groupName(owner, index));
    if (!makeDirectory(directory)) continue;
    if (hierarchy.version === 2) {
      return { path: directory, version: 2, controllers: enable(directory, hierarchy.controllers) };
    }
    // Before kernel 5.11 a limit or an event counts below this group only when told so.
    if (hierarchy.controllers.includes('memory')) tryControl(directory, 'memory.use_hierarchy', '1');
    return { ...hierarchy, path: directory };
  }
  throw new Error(`cgroup: ${MAX_INDEX} groups of process ${owner.pid} stand in ${hierarchy.path}; remove them`);
}

/** Hands controllers to the groups below, and gives those that are handed down in the end. */
function enable(directory: string, controllers: readonly Controller[]): readonly Controller[] {
  const enabled = () => (readControl(directory, 'cgroup.subtree_control') ?? '').split(/\s+/);
  const before = enabled();
  for (const name of controllers) {
    if (!before.includes(name)) tryControl(directory, 'cgroup.subtree_control', `+${name}`);
  }
  const after = enabled();
  return controllers.filter((name) => after.includes(name));
}
