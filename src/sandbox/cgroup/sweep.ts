import path from 'node:path';
import { childrenOf, removeDirectory } from './directory.ts';
import { hierarchiesOf } from './hierarchies.ts';
import { killDirectories } from './kill.ts';
import type { CgroupPlan } from './layout.ts';
import { currentOwner, processIsAlive, readGroupName } from './owner.ts';

/**
 * Ends and removes what dead executors left behind, and gives the names of the groups. A group is taken only when its
 * owner, process id *and* start time, is dead, and only in this pid namespace: an id of another one cannot be judged.
 */
export async function sweepGroups(
  plan: CgroupPlan,
  isAlive: (pid: number, startTime: string) => boolean = processIsAlive,
): Promise<readonly string[]> {
  const { pidNamespace } = currentOwner();
  const hierarchies = hierarchiesOf(plan);
  const names = new Set(hierarchies.flatMap((hierarchy) => childrenOf(hierarchy.path)));
  const swept: string[] = [];
  for (const name of names) {
    const owner = readGroupName(name);
    if (owner === undefined || owner.pidNamespace !== pidNamespace || isAlive(owner.pid, owner.startTime)) continue;
    const directories = hierarchies.map((hierarchy) => ({ ...hierarchy, path: path.join(hierarchy.path, name) }));
    killDirectories(directories);
    const removed = await Promise.all(directories.map((directory) => removeDirectory(directory.path)));
    if (removed.every(Boolean)) swept.push(name);
  }
  return swept;
}
