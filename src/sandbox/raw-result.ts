import type { ByteCounts, ExitReport, SandboxReport } from '../protocol/index.ts';
import type { Trace } from './trace/refusal.ts';

/** Why the supervisor ended a child; `undefined` in a `RawResult` when the child ended by itself. */
export type KillReason = 'timeout' | 'canceled' | 'output_limit' | 'stderr_limit';

/** Where the time of a run went, in milliseconds. */
export interface Timings {
  /** From the order to the sandbox's first process. */
  readonly launchMs: number;
  /** From there to the end of the program: the view is built, the program runs. */
  readonly runMs: number;
  /** From there to the result: outputs are read to their end, what was left behind is ended. */
  readonly drainMs: number;
}

/** Facts of one run, before anybody interprets what was printed. Plain data. */
export interface RawResult {
  /**
   * `ran`: the program was really executed, by the sandbox's own status channel.
   * `not-executed`: the wall stood but the program could not be executed (missing, not executable, bad interpreter).
   * `not-built`: the wall could not be built, nothing of the handler ran.
   * `unavailable`: this machine cannot enforce what was asked.
   */
  readonly kind: 'ran' | 'not-executed' | 'not-built' | 'unavailable';
  readonly killed?: KillReason;
  /** The memory limit was hit during the run (out-of-memory kill recorded by the kernel). */
  readonly memoryLimitHit: boolean;
  /** The process limit was hit during the run. */
  readonly processLimitHit: boolean;
  readonly exit: ExitReport;
  readonly stdout: Uint8Array;
  /** The last `keepStderrBytes` of stderr. */
  readonly stderr: Uint8Array;
  readonly bytes: ByteCounts;
  readonly durationMs: number;
  /** Absent when nothing was launched. */
  readonly timings?: Timings;
  readonly sandbox: SandboxReport;
  /** For every kind but `ran`: what went wrong, in words, and what to do about it. */
  readonly detail?: string;
  readonly remedy?: string;
  /** Remarks for the report that change nothing. */
  readonly notes?: readonly string[];
  /** Present when it was asked for and something was launched. */
  readonly trace?: Trace;
}
