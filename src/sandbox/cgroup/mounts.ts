/** One mounted cgroup hierarchy. */
export interface CgroupMount {
  readonly version: 1 | 2;
  /** Version 1: the controllers of this hierarchy, without named hierarchies. */
  readonly controllers: readonly string[];
  /** The group that is visible at `point`; not `/` inside containers that share the host's cgroup namespace. */
  readonly root: string;
  readonly point: string;
  readonly readOnly: boolean;
}

/** Options of a version 1 mount that name no controller. */
const V1_OPTIONS = new Set(['rw', 'ro', 'clone_children', 'noprefix', 'xattr', 'none', 'all']);

/** Reads `/proc/self/mountinfo`; the mount made last comes first, since it hides the earlier ones. */
export function readMounts(mountinfo: string): readonly CgroupMount[] {
  return mountinfo
    .split('\n')
    .flatMap((line) => readMount(line) ?? [])
    .toReversed();
}

function readMount(line: string): CgroupMount | undefined {
  const [mount = '', filesystem = ''] = line.split(' - ');
  const [, , , root, point, options = ''] = mount.split(' ');
  const [type, , superOptions = ''] = filesystem.split(' ');
  if ((type !== 'cgroup' && type !== 'cgroup2') || root === undefined || point === undefined) return undefined;
  const readOnly = options.split(',').includes('ro') || superOptions.split(',').includes('ro');
  const controllers =
    type === 'cgroup2'
      ? []
      : superOptions.split(',').filter((option) => !V1_OPTIONS.has(option) && !option.includes('='));
  return { version: type === 'cgroup2' ? 2 : 1, controllers, root: unescape(root), point: unescape(point), readOnly };
}

/** mountinfo writes space, tab, newline and backslash as three octal digits. */
function unescape(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}

/** Reads `/proc/self/cgroup`: the group of this process by controller, and under `''` in version 2. */
export function readOwnGroups(procCgroup: string): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  for (const line of procCgroup.split('\n')) {
    const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
    if (!match) continue;
    const [, id, controllers = '', group = ''] = match;
    if (id === '0') groups.set('', group);
    else for (const controller of controllers.split(',')) groups.set(controller, group);
  }
  return groups;
}

/** The directory of a group under a mount; `undefined` when the mount does not show that group. */
export function directoryOf(mount: CgroupMount, group: string): string | undefined {
  // A path that climbs lies outside this process's cgroup namespace: there is no name for it from here.
  if (isOutside(group) || isOutside(mount.root)) return undefined;
  if (mount.root === '/') return group === '/' ? mount.point : mount.point + group;
  if (group === mount.root) return mount.point;
  return group.startsWith(`${mount.root}/`) ? mount.point + group.slice(mount.root.length) : undefined;
}

function isOutside(group: string): boolean {
  return group === '/..' || group.startsWith('/../');
}
