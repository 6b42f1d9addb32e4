/** Architectures the filter is written for. */
export type SeccompArch = 'x64' | 'arm64';

/** The value of `seccomp_data.arch` for native calls. */
export const AUDIT_ARCH: Readonly<Record<SeccompArch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

type Numbers = Readonly<Partial<Record<SeccompArch, number>>>;

/** Calls newer than the common numbering (5.1) have one number everywhere. */
function everywhere(number: number): Numbers {
  return { x64: number, arm64: number };
}

/**
 * Calls that get EPERM whatever their arguments are. Most need a capability, which the sandbox dropped; they are
 * here all the same, since one kernel fault in them would be reachable. Calls that need no capability say so.
 */
export const DENIED: Readonly<Record<string, Numbers>> = {
  // Other processes' memory and descriptors.
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  process_madvise: everywhere(440),
  kcmp: { x64: 312, arm64: 272 },
  pidfd_getfd: everywhere(438),
  // A second system call interface that no filter sees.
  io_uring_setup: everywhere(425),
  io_uring_enter: everywhere(426),
  io_uring_register: everywhere(427),
  // Namespaces and mounts.
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  open_tree: everywhere(428),
  move_mount: everywhere(429),
  fsopen: everywhere(430),
  fsconfig: everywhere(431),
  fsmount: everywhere(432),
  fspick: everywhere(433),
  mount_setattr: everywhere(442),
  open_tree_attr: everywhere(467),
  // Files by handle, past the view.
  name_to_handle_at: { x64: 303, arm64: 264 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  // Keyrings are not namespaced by the process: a channel between runs.
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  // Large kernel surfaces that no hook needs.
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  memfd_secret: everywhere(447),
  // The machine itself.
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  create_module: { x64: 174 },
  query_module: { x64: 178 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  reboot: { x64: 169, arm64: 142 },
  acct: { x64: 163, arm64: 89 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: everywhere(443),
  // Needs no capability where kernel.dmesg_restrict is 0: the host's kernel log.
  syslog: { x64: 103, arm64: 116 },
  // Need no capability: 16-bit segments, and the loader of formats from before ELF.
  modify_ldt: { x64: 154 },
  uselib: { x64: 134 },
};

/** Where a call that sets the mode of a file has it, and the flags that say whether it does. */
export interface ModeCall {
  readonly numbers: Numbers;
  /** Index of the argument. */
  readonly mode: number;
  /** Index of the open flags: the mode counts only when a file is made. */
  readonly flags?: number;
}

/** Calls that could leave a program with its owner's privileges in a granted directory. */
export const MODE_CALLS: Readonly<Record<string, ModeCall>> = {
  open: { numbers: { x64: 2 }, flags: 1, mode: 2 },
  openat: { numbers: { x64: 257, arm64: 56 }, flags: 2, mode: 3 },
  creat: { numbers: { x64: 85 }, mode: 1 },
  mknod: { numbers: { x64: 133 }, mode: 1 },
  mknodat: { numbers: { x64: 259, arm64: 33 }, mode: 2 },
  chmod: { numbers: { x64: 90 }, mode: 1 },
  fchmod: { numbers: { x64: 91, arm64: 52 }, mode: 1 },
  fchmodat: { numbers: { x64: 268, arm64: 53 }, mode: 2 },
  fchmodat2: { numbers: everywhere(452), mode: 2 },
};

/** Calls that are decided by an argument, or answered otherwise than by EPERM. */
export const INSPECTED = {
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  openat2: { x64: 437, arm64: 437 },
  ioctl: { x64: 16, arm64: 29 },
  personality: { x64: 135, arm64: 92 },
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
} as const;
