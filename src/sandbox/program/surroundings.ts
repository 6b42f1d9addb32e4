/** Where programs are looked for, all paths absolute and without symlinks. */
export interface Surroundings {
  readonly projectRoot: string;
  /** `PATH` inside every sandbox. */
  readonly fixedPath: readonly string[];
  /** The operator's `PATH`: absolute entries outside the project, for interpreters outside `/usr`. */
  readonly hostPath: readonly string[];
  /** The operator's home directory, never bound as a whole. */
  readonly home: string;
  /** Whether a program by absolute path outside the project and outside `PATH` may be bound: only when the operator named it. */
  readonly outsideProject: 'refuse' | 'bind';
  /** Content of files that must not be read again. */
  readonly contentOf?: (file: string) => Uint8Array | undefined;
}

/** A file that can be executed or read by an interpreter, and what it needs inside. */
export interface Located {
  /** Its path inside the sandbox. */
  readonly file: string;
  readonly binds: readonly string[];
  /** Directories for the end of `PATH` inside. */
  readonly path: readonly string[];
}
