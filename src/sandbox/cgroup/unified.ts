import type { Controller } from './layout.ts';
import { directoryOf, type CgroupMount } from './mounts.ts';
import type { CgroupTree } from './tree.ts';

/** Where version 2 lets this process make groups for its children. */
export interface UnifiedParent {
  readonly directory: string;
  /** Controllers that child groups have, or get once they are enabled here. */
  readonly controllers: readonly Controller[];
}

export interface UnifiedSearch {
  readonly parent?: UnifiedParent;
  /** Why a controller cannot be had, with the remedy. */
  readonly why: (controller: Controller) => string;
}

const DELEGATE =
  'start it in a delegated group: `systemd-run --user --scope -p Delegate=yes hookcell ...`, or `Delegate=yes` with `DelegateSubgroup=` in the service';

/**
 * Walks from this process's own group up to the mount point, and takes the nearest group with the most controllers.
 * Children are moved from the own group into a group below the one found, which the kernel allows to whoever may write
 * `cgroup.procs` of that common ancestor.
 */
export function searchUnified(
  tree: CgroupTree,
  mount: CgroupMount,
  group: string,
  wanted: readonly Controller[],
): UnifiedSearch {
  const own = directoryOf(mount, group);
  if (own === undefined || !tree.isDirectory(own)) {
    return { why: (name) => `${name}: cgroup v2 group ${group} of this process is not visible under ${mount.point}` };
  }
  const writable = upTo(own, mount.point).filter((directory) => takesGroups(tree, directory));
  if (writable.length === 0) {
    return {
      why: (name) =>
        mount.readOnly
          ? `${name}: ${mount.point} is mounted read-only; run the container with its own writable cgroup v2 (a private cgroup namespace and a writable ${mount.point})`
          : `${name}: this user may not make groups in ${own}; ${DELEGATE}`,
    };
  }
  const parents = writable.map((directory) => ({ directory, controllers: offered(tree, directory, wanted) }));
  // toSorted is stable: among equals the nearest stays first.
  const [parent] = parents.toSorted((a, b) => b.controllers.length - a.controllers.length);
  return { ...(parent && { parent }), why: (name) => refusal(tree, writable, name) };
}

function upTo(own: string, point: string): readonly string[] {
  const directories = [own];
  for (let directory = own; directory !== point && directory.startsWith(`${point}/`);) {
    directory = directory.slice(0, directory.lastIndexOf('/'));
    directories.push(directory);
  }
  return directories;
}

function takesGroups(tree: CgroupTree, directory: string): boolean {
  // A threaded group takes threads, not processes. The real root has no cgroup.type.
  const type = tree.readFile(`${directory}/cgroup.type`)?.trim() ?? 'domain';
  return type === 'domain' && tree.canWrite(directory) && tree.canWrite(`${directory}/cgroup.procs`);
}

function offered(tree: CgroupTree, directory: string, wanted: readonly Controller[]): readonly Controller[] {
  const available = words(tree, `${directory}/cgroup.controllers`);
  const enabled = words(tree, `${directory}/cgroup.subtree_control`);
  const enable = mayEnable(tree, directory);
  return wanted.filter((name) => available.has(name) && (enabled.has(name) || enable));
}

/** A group that holds processes cannot hand controllers to its children, except the real root. */
function mayEnable(tree: CgroupTree, directory: string): boolean {
  if (!tree.canWrite(`${directory}/cgroup.subtree_control`)) return false;
  const isRealRoot = tree.readFile(`${directory}/cgroup.type`) === undefined;
  return isRealRoot || tree.readFile(`${directory}/cgroup.procs`)?.trim() === '';
}

function refusal(tree: CgroupTree, writable: readonly string[], name: Controller): string {
  const holder = writable.find((directory) => words(tree, `${directory}/cgroup.controllers`).has(name));
  if (holder === undefined) {
    return `${name}: the controller is not handed down to ${writable[0]}; enable it above (systemd: \`Delegate=yes\`; a kernel that has it switched off: \`cgroup_enable=${name}\` on its command line)`;
  }
  return `${name}: ${holder} holds processes, and such a group cannot hand the controller to its children; start hookcell in a child group of it (systemd: \`DelegateSubgroup=\`; a container: move its processes to ${holder}/init first)`;
}

function words(tree: CgroupTree, path: string): ReadonlySet<string> {
  return new Set(tree.readFile(path)?.split(/\s+/).filter(Boolean));
}
