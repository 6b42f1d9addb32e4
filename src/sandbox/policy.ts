/** Bounds of one child, all applied from outside it. */
export interface Limits {
  /** From launch to the end, writing stdin included. */
  readonly timeoutMs: number;
  /** stdout: the child is killed at the first byte beyond it. */
  readonly maxOutputBytes: number;
  /** stderr kept for the report (its tail). */
  readonly keepStderrBytes: number;
  /** stderr: the child is killed at the first byte beyond it. */
  readonly maxStderrBytes: number;
  readonly memoryBytes: number;
  readonly maxProcesses: number;
  readonly maxOpenFiles: number;
  /** Largest file it may write. */
  readonly maxFileBytes: number;
  /** Size of its private `/tmp` (and, apart from it, of its `HOME`). */
  readonly tmpBytes: number;
}

export type LimitName = keyof Limits;

/** How much of the project is visible, read-only. `files` is the sound choice for a project that holds secrets. */
export type ProjectView = 'none' | 'files' | 'read';

/** What is asked of the sandbox for one child. Everything is absolute and resolved; nothing is inherited. */
export interface Policy {
  readonly project: ProjectView;
  /** The project's root; needed by `files` and `read`. */
  readonly projectRoot?: string;
  /** With `files`: the paths inside the project that exist inside the sandbox. */
  readonly projectFiles: readonly string[];
  /** Further existing paths, read-only. */
  readonly readPaths: readonly string[];
  /** Existing paths that the child may change. */
  readonly writePaths: readonly string[];
  readonly network: 'none' | 'host';
  /** The whole environment beyond the fixed `PATH`, `HOME`, `TMPDIR`, `LANG`: names to values. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Limits that were set explicitly: refused, not reported, when they cannot be enforced. */
  readonly require: readonly ('memoryBytes' | 'maxProcesses')[];
}

/** A program ready to run: resolved outside, with what its interpreter needs. */
export interface Program {
  /** `argv[0]` is an absolute path as seen inside. */
  readonly argv: readonly [string, ...string[]];
  /** Working directory as seen inside; falls back to `/` where the view does not hold it. */
  readonly cwd: string;
  /** Read-only paths beyond the policy that the program needs: its script, its interpreter's installation prefix. */
  readonly binds: readonly string[];
  /** Directories for the end of `PATH` inside: where interpreters outside `/usr` lie. */
  readonly path?: readonly string[];
  /** Pinned files: shown in place of whatever lies at their targets by the time of the launch. */
  readonly overlays?: readonly Overlay[];
}

/**
 * A regular file bound read-only over another one, also where the child may write. It makes nothing visible that the policy
 * does not show, and no covered secret.
 */
export interface Overlay {
  /** From `Sandbox.keep`. */
  readonly source: string;
  /** A real path that has to hold a regular file at the launch. */
  readonly target: string;
}
