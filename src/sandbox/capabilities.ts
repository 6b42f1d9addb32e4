import type { Enforced } from '../protocol/index.ts';

/** Why a backend cannot be used, with the exact remedy. */
export interface Unavailable {
  /** e.g. `bwrap_missing`, `apparmor_userns`, `userns_disabled`, `outer_seccomp`, `proc_masked`, `probe_timeout`. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** What this machine can enforce with one backend, found by running it with the real arguments. */
export interface BackendCapability {
  readonly backend: 'bubblewrap' | 'none';
  readonly available: boolean;
  readonly version?: string;
  readonly path?: string;
  readonly enforced?: Enforced;
  readonly unavailable?: Unavailable;
}

/** The document behind `hookcell capabilities` and `executor.capabilities()`. */
export interface Capabilities {
  readonly version: 1;
  readonly platform: string;
  readonly arch: string;
  readonly kernel: string;
  readonly node: string;
  /** The backend that `auto` takes, absent when none is available. */
  readonly selected?: 'bubblewrap' | 'none';
  readonly backends: readonly BackendCapability[];
  /** Where cgroups stand: `v2`, `v1`, `hybrid` or `none`, and what is missing. */
  readonly cgroup: { readonly layout: 'v2' | 'v1' | 'hybrid' | 'none'; readonly notes: readonly string[] };
}
