/** What a program may want of a path. */
export type Access = 'read' | 'write' | 'create' | 'execute';

/**
 * One thing that a program tried and that the sandbox did not let it do. `times` counts tries, `path` is as seen inside,
 * absolute where the trace tells.
 */
export type Refusal =
  | FileRefusal
  /** A program that no directory of the sandbox's `PATH` holds. */
  | { readonly kind: 'program'; readonly name: string; readonly times: number }
  /** A socket; `family` as the kernel calls it, e.g. `AF_INET`. */
  | { readonly kind: 'socket'; readonly family: string; readonly times: number }
  /** A system call that the filter refuses. */
  | { readonly kind: 'syscall'; readonly name: string; readonly times: number }
  /** A limit that was hit. */
  | {
      readonly kind: 'limit';
      readonly limit: 'maxProcesses' | 'maxOpenFiles' | 'maxFileBytes' | 'tmpBytes';
      readonly path?: string;
      readonly times: number;
    };

export interface FileRefusal {
  readonly kind: 'file';
  readonly path: string;
  readonly tried: Access;
  /**
   * `not-in-view`: it exists on this machine, not inside. `no-place`: it was to be made in a directory that is not inside.
   * `link`: a symbolic link on the way to it, which the view does not have. `masked`: it looks like a secret, and something empty is shown.
   * `read-only`: it is visible and cannot be changed. `permissions`: the file's own mode or owner forbids it.
   */
  readonly why: 'not-in-view' | 'no-place' | 'link' | 'masked' | 'read-only' | 'permissions';
  /** What would let it through; absent where nothing may. */
  readonly grant?: { readonly access: 'read' | 'write'; readonly path: string };
  /** What to do where no grant helps. */
  readonly remedy?: string;
  readonly times: number;
}

/** What tracing a run came to. */
export type Trace =
  | {
      readonly state: 'traced';
      readonly refusals: readonly Refusal[];
      /** The program did more than is looked at, so that refusals may be missing. */
      readonly incomplete: boolean;
    }
  /** It was not traced; everything else of the run is as ever. */
  | { readonly state: 'untraced'; readonly why: string; readonly remedy: string };
