import type { Unavailable } from './capabilities.ts';

/** What the machine says about itself; read by `probe`, given as data so that every case can be tested anywhere. */
export interface SetupFacts {
  /** Words of bubblewrap, or of the launcher. */
  readonly said: string;
  readonly timedOut: boolean;
  readonly isRoot: boolean;
  /** Text of the file, or undefined where it does not exist. */
  readonly maxUserNamespaces: string | undefined;
  readonly unprivilegedUsernsClone: string | undefined;
  readonly apparmorRestrictsUserns: string | undefined;
  readonly insideContainer: boolean;
}

interface Rule {
  readonly code: string;
  readonly when: (facts: SetupFacts) => boolean;
  readonly message: string;
  readonly remedy: string;
}

const refused =
  /(?:creating new namespace|setting up uid map|no permissions to create|clone|unshare).*|operation not permitted|permission denied/iu;

/** The first rule that fits tells; the order is from the surest sign to the vaguest. */
const rules: readonly Rule[] = [
  {
    code: 'probe_timeout',
    when: (facts) => facts.timedOut,
    message:
      'bubblewrap did not finish in time, so something that it mounts hangs (an automounter or a dead network file system)',
    remedy: 'Look for hanging mounts (`stat -f` on each entry of /proc/mounts) and try again.',
  },
  {
    code: 'userns_disabled',
    when: (facts) => facts.maxUserNamespaces?.trim() === '0',
    message: 'user namespaces are disabled by user.max_user_namespaces = 0',
    remedy: 'As root: sysctl -w user.max_user_namespaces=15000, and the same line in /etc/sysctl.d/99-hookcell.conf.',
  },
  {
    code: 'userns_disabled',
    when: (facts) => !facts.isRoot && facts.unprivilegedUsernsClone?.trim() === '0',
    message: 'user namespaces of ordinary users are disabled by kernel.unprivileged_userns_clone = 0',
    remedy:
      'As root: sysctl -w kernel.unprivileged_userns_clone=1, and the same line in /etc/sysctl.d/99-hookcell.conf.',
  },
  {
    code: 'apparmor_userns',
    when: (facts) => !facts.isRoot && facts.apparmorRestrictsUserns?.trim() === '1' && refused.test(facts.said),
    message:
      'AppArmor lets only named programs create user namespaces (kernel.apparmor_restrict_unprivileged_userns = 1), and bwrap is not among them',
    remedy:
      'As root, write /etc/apparmor.d/bwrap: `abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }`, one directive a line, then run: apparmor_parser -r /etc/apparmor.d/bwrap.',
  },
  {
    code: 'proc_masked',
    when: (facts) => /mount proc|proc on \/newroot\/proc/iu.test(facts.said),
    message: 'a new /proc cannot be mounted, since an outer container masks parts of its own',
    remedy:
      'Start the outer container with unmasked /proc: docker run --security-opt systempaths=unconfined (Kubernetes: procMount: Unmasked).',
  },
  {
    code: 'seccomp_refused',
    when: (facts) => /seccomp/iu.test(facts.said),
    message: 'the system call filter could not be installed',
    remedy: 'The kernel needs CONFIG_SECCOMP_FILTER, and an outer container must allow prctl(PR_SET_SECCOMP).',
  },
  {
    code: 'outer_seccomp',
    when: (facts) => facts.insideContainer && refused.test(facts.said),
    message: "an outer container's seccomp or capability rules refuse new namespaces",
    remedy:
      'Start the outer container with --security-opt seccomp=unconfined (or a profile that allows clone and unshare with CLONE_NEWUSER), or use a VM.',
  },
  {
    code: 'userns_refused',
    when: (facts) => refused.test(facts.said),
    message: 'the kernel refused to create the namespaces',
    remedy:
      'Check `unshare --user --pid --mount true`; a security module or the kernel configuration (CONFIG_USER_NS) forbids it.',
  },
  {
    code: 'setup_failed',
    when: () => true,
    message: 'the sandbox could not be built',
    remedy: 'Run `hookcell doctor` and read what bubblewrap said.',
  },
];

/** Names the reason why the wall cannot be built on this machine, with the exact remedy. */
export function classifySetupFailure(facts: SetupFacts): Unavailable {
  const rule = rules.find((candidate) => candidate.when(facts));
  if (!rule) throw new Error('the last rule fits everything');
  const said = facts.said.trim().split('\n')[0] ?? '';
  return {
    code: rule.code,
    message: said === '' ? rule.message : `${rule.message} (bwrap: ${said})`,
    remedy: rule.remedy,
  };
}

/** The kernel lets the owner of a device change its mode, whatever capabilities were dropped. */
export function devicesExposed(said: string): Unavailable {
  return {
    code: 'devices_exposed',
    message: `this user owns the machine's devices, so a handler could change their modes, and devices for handlers alone could not be made: ${said}`,
    remedy: 'Run hookcell as an ordinary user, or give this container the capability MKNOD and a writable /dev.',
  };
}

export function bubblewrapMissing(detail: string): Unavailable {
  return {
    code: 'bwrap_missing',
    message: `bubblewrap was not found: ${detail}`,
    remedy:
      'Install it: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch), apk add bubblewrap (Alpine).',
  };
}
