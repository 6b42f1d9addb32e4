import type { Enforced } from '../protocol/index.ts';
import type { ExecutorGroup } from './cgroup/executor-group.ts';

export interface EnforcementFacts {
  readonly wall: 'bubblewrap' | 'none';
  readonly controls: ExecutorGroup['controls'];
  readonly network: 'none' | 'host';
  /** Root is exempt from the process rlimit. */
  readonly isRoot: boolean;
  /** `[5, 14]` and later count the process rlimit for each user namespace by itself. */
  readonly kernel: readonly [major: number, minor: number];
}

/** What is really applied to a child, from facts and not from what was asked. */
export function enforcedBy(facts: EnforcementFacts): Enforced {
  const { controls } = facts;
  const walled = facts.wall === 'bubblewrap';
  const network = facts.network === 'host' ? 'host' : 'namespace+seccomp';
  return {
    filesystem: walled ? 'view' : 'none',
    network: walled ? network : 'none',
    processes: controls.pids ? `cgroup-v${controls.pids}` : processRlimit(facts) ? 'rlimit' : 'none',
    memory: controls.memory ? `cgroup-v${controls.memory}` : 'rlimit',
    kill: controls.kill ? 'cgroup.kill' : walled ? 'pid-namespace' : 'process-group',
    syscalls: walled ? 'seccomp' : 'none',
  };
}

/** Outside a user namespace of its own the limit would count all of the user's processes: it is not set there. */
function processRlimit({ wall, isRoot, kernel: [major, minor] }: EnforcementFacts): boolean {
  return wall === 'bubblewrap' && !isRoot && (major > 5 || (major === 5 && minor >= 14));
}

/** `[major, minor]` of a release such as `6.18.44-generic`. */
export function readKernel(release: string): [number, number] {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor];
}
