import { directoryOf, readMounts, readOwnGroups, type CgroupMount } from './mounts.ts';
import type { CgroupTree } from './tree.ts';
import { searchUnified, type UnifiedSearch } from './unified.ts';

/** The controllers that bound a child. */
export type Controller = 'memory' | 'pids';

/** A directory in which this process may make groups and move its children into them. */
export interface ControllerParent {
  readonly version: 1 | 2;
  readonly parent: string;
}

/** How this machine's cgroups serve; pure data, made once per executor. */
export interface CgroupPlan {
  readonly layout: 'v2' | 'v1' | 'hybrid' | 'none';
  readonly memory?: ControllerParent;
  readonly pids?: ControllerParent;
  /** A version 2 directory whose groups have `cgroup.kill`, with controllers or without. */
  readonly kill?: { readonly parent: string };
  /** What is missing, why, and the remedy. */
  readonly notes: readonly string[];
}

const CONTROLLERS: readonly Controller[] = ['memory', 'pids'];

/**
 * Finds where this process may make groups: version 2 (delegated or not), hybrid, version 1, or none. Reads
 * `/proc/self/mountinfo` and `/proc/self/cgroup` through `tree` and changes nothing.
 */
export function findCgroups(tree: CgroupTree): CgroupPlan {
  const mounts = readMounts(tree.readFile('/proc/self/mountinfo') ?? '');
  const groups = readOwnGroups(tree.readFile('/proc/self/cgroup') ?? '');
  const layout = layoutOf(mounts);
  if (layout === 'none') {
    return { layout, notes: ['no cgroup hierarchy is mounted: memory and processes are bounded by rlimits alone'] };
  }
  const unified = unifiedSearch(tree, mounts, groups.get(''));
  const notes: string[] = [];
  const found: { memory?: ControllerParent; pids?: ControllerParent } = {};
  for (const name of CONTROLLERS) {
    if (unified?.parent?.controllers.includes(name)) {
      found[name] = { version: 2, parent: unified.parent.directory };
      continue;
    }
    const legacy = searchLegacy(tree, mounts, groups, name);
    if (typeof legacy === 'object') found[name] = legacy;
    else notes.push(legacy ?? unified?.why(name) ?? `${name}: no mounted hierarchy has this controller`);
  }
  const kill = killParent(tree, unified);
  if (typeof kill === 'string') notes.push(kill);
  return { layout, ...found, ...(typeof kill === 'object' && { kill }), notes };
}

function layoutOf(mounts: readonly CgroupMount[]): CgroupPlan['layout'] {
  const v2 = mounts.some((mount) => mount.version === 2);
  const v1 = mounts.some((mount) => mount.version === 1 && mount.controllers.length > 0);
  if (v2) return v1 ? 'hybrid' : 'v2';
  return v1 ? 'v1' : 'none';
}

function unifiedSearch(
  tree: CgroupTree,
  mounts: readonly CgroupMount[],
  group: string | undefined,
): UnifiedSearch | undefined {
  if (group === undefined) return undefined;
  const searches = mounts
    .filter((mount) => mount.version === 2)
    .map((mount) => searchUnified(tree, mount, group, CONTROLLERS));
  return searches.find((search) => search.parent) ?? searches[0];
}

/** In version 1 the own group is the parent: a group higher up would drop the limits that were set on this process. */
function searchLegacy(
  tree: CgroupTree,
  mounts: readonly CgroupMount[],
  groups: ReadonlyMap<string, string>,
  name: Controller,
): ControllerParent | string | undefined {
  const group = groups.get(name);
  const hierarchy = mounts.filter((mount) => mount.controllers.includes(name));
  if (group === undefined || hierarchy.length === 0) return undefined;
  const directories = hierarchy
    .flatMap((mount) => directoryOf(mount, group) ?? [])
    .filter((directory) => tree.isDirectory(directory));
  const parent = directories.find((directory) => tree.canWrite(directory));
  if (parent !== undefined) return { version: 1, parent };
  return directories[0] === undefined
    ? `${name}: cgroup v1 group ${group} of this process is not visible under ${hierarchy[0]?.point}`
    : `${name}: this user may not make groups in ${directories[0]}; have root make a group there, give it to this user (\`chown -R\`), and start hookcell inside it`;
}

function killParent(tree: CgroupTree, unified: UnifiedSearch | undefined): { parent: string } | string {
  const release = tree.readFile('/proc/sys/kernel/osrelease')?.trim() ?? 'unknown';
  const fallback = 'processes are ended by signals, from the process id 1 of their namespace on';
  if (!unified?.parent) return `kill: no writable cgroup v2 group; ${fallback}`;
  if (!hasCgroupKill(release)) return `kill: cgroup.kill needs kernel 5.14, this is ${release}; ${fallback}`;
  return { parent: unified.parent.directory };
}

function hasCgroupKill(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
