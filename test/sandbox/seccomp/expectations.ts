/**
 * What the filter must answer, written from the kernel's tables by number and not from the program. Numbers of calls
 * that get EPERM whatever their arguments are.
 */
export const EPERM_X64: ReadonlySet<number> = new Set([
  101, // ptrace
  103, // syslog
  134, // uselib
  154, // modify_ldt
  155, // pivot_root
  163, // acct
  165,
  166, // mount, umount2
  167,
  168,
  169, // swapon, swapoff, reboot
  174,
  175,
  176, // create_module, init_module, delete_module
  178,
  179, // query_module, quotactl
  246, // kexec_load
  248,
  249,
  250, // add_key, request_key, keyctl
  272, // unshare
  298, // perf_event_open
  303,
  304, // name_to_handle_at, open_by_handle_at
  308, // setns
  310,
  311,
  312,
  313, // process_vm_readv, process_vm_writev, kcmp, finit_module
  320,
  321, // kexec_file_load, bpf
  323, // userfaultfd
  425,
  426,
  427, // io_uring_setup, _enter, _register
  428,
  429,
  430,
  431,
  432,
  433, // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
  438,
  440,
  442,
  443,
  447, // pidfd_getfd, process_madvise, mount_setattr, quotactl_fd, memfd_secret
  467, // open_tree_attr
]);

export const EPERM_ARM64: ReadonlySet<number> = new Set([
  39,
  40,
  41, // umount2, mount, pivot_root
  60, // quotactl
  89, // acct
  97, // unshare
  104,
  105,
  106, // kexec_load, init_module, delete_module
  116,
  117, // syslog, ptrace
  142, // reboot
  217,
  218,
  219, // add_key, request_key, keyctl
  224,
  225, // swapon, swapoff
  241, // perf_event_open
  264,
  265, // name_to_handle_at, open_by_handle_at
  268,
  270,
  271,
  272,
  273, // setns, process_vm_readv, process_vm_writev, kcmp, finit_module
  280,
  282,
  294, // bpf, userfaultfd, kexec_file_load
  425,
  426,
  427,
  428,
  429,
  430,
  431,
  432,
  433, // io_uring_*, open_tree to fspick
  438,
  440,
  442,
  443,
  447,
  467, // as on x86-64
]);

/** Number, index of the mode, index of the open flags of each call that gives a file its mode. */
export const MODES: Readonly<Record<'x64' | 'arm64', (readonly [nr: number, mode: number, flags?: number])[]>> = {
  x64: [
    [2, 2, 1],
    [257, 3, 2],
    [85, 1],
    [133, 1],
    [259, 2],
    [90, 1],
    [91, 1],
    [268, 2],
    [452, 2],
  ],
  arm64: [
    [56, 3, 2],
    [33, 2],
    [52, 1],
    [53, 2],
    [452, 2],
  ],
};

export const CALLS = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    openat2: 437,
    ioctl: 16,
    personality: 135,
    socket: 41,
    socketpair: 53,
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    openat2: 437,
    ioctl: 29,
    personality: 92,
    socket: 198,
    socketpair: 199,
  },
} as const;

export const RETURN = { allow: 0x7fff0000, eperm: 0x00050001, enosys: 0x00050026, kill: 0x80000000 } as const;
