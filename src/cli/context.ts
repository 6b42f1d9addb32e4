import type { Io } from './io.ts';

/** What a command definition needs to become an action. */
export interface Context {
  readonly io: Io;
  /** The exit code of the command that ran. */
  readonly finish: (code: number) => void;
}
