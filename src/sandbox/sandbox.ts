import type { Policy, Program } from './policy.ts';
import type { RawResult } from './raw-result.ts';
import type { Capabilities } from './capabilities.ts';

export interface RunRequest {
  readonly program: Program;
  readonly policy: Policy;
  /** Written to stdin, then end-of-file. */
  readonly stdin: Uint8Array;
  readonly signal?: AbortSignal;
  /** Say what the wall refused. Slows the program; where this machine cannot trace, the result says why. */
  readonly trace?: boolean;
}

/** A wall that runs children one by one or side by side. `run` never rejects for what a child does. */
export interface Sandbox {
  run(request: RunRequest): Promise<RawResult>;
  capabilities(): Promise<Capabilities>;
  /** Keeps bytes in the sandbox's private directory, once for the same bytes; returns the path, a source for overlays. */
  keep(bytes: Uint8Array, executable: boolean): string;
  close(): Promise<void>;
}
