import type { Cause } from './causes.ts';
import type { Decision } from './decision.ts';
import type { JsonObject } from './json-value.ts';

/** Names a hook: the pack it comes from and its id there. */
export interface HookName {
  readonly pack: string;
  readonly id: string;
}

/** What was really applied around one invocation; `none` where nothing was. */
export interface Enforced {
  /** `view` = only granted paths exist inside. */
  readonly filesystem: 'view' | 'none';
  readonly network: 'namespace+seccomp' | 'host' | 'none';
  readonly processes: 'cgroup-v2' | 'cgroup-v1' | 'rlimit' | 'none';
  readonly memory: 'cgroup-v2' | 'cgroup-v1' | 'rlimit' | 'none';
  /** How every process of the invocation is ended. */
  readonly kill: 'cgroup.kill' | 'pid-namespace' | 'process-group';
  readonly syscalls: 'seccomp' | 'none';
}

export interface SandboxReport {
  readonly backend: 'bubblewrap' | 'none';
  readonly enforced: Enforced;
}

/** How the direct child ended. Both null when it never ran. */
export interface ExitReport {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Sizes in bytes. `stdinUnread` = payload bytes that the handler never took from the pipe. */
export interface ByteCounts {
  readonly stdin: number;
  readonly stdinUnread: number;
  readonly stdout: number;
  readonly stderr: number;
}

interface OutcomeFacts {
  readonly hook: HookName;
  readonly mode: 'control' | 'observe';
  /** From the invocation's own launch to its result; waiting in the queue is not in it. */
  readonly durationMs: number;
  readonly queueMs: number;
  /** The effective limit of this invocation, in milliseconds. */
  readonly timeoutMs: number;
  readonly bytes: ByteCounts;
  readonly exit: ExitReport;
  /** Absent when nothing was launched. */
  readonly sandbox?: SandboxReport;
  /** Redacted, stripped of control characters, bounded. */
  readonly stderrTail: string;
  /** Remarks for people that change nothing, e.g. "reason cut at 10 000 characters". */
  readonly notes?: readonly string[];
}

/** Result of one invocation (one handler and one event). */
export type Outcome =
  | (OutcomeFacts & { readonly status: 'answered'; readonly decision: Decision })
  | (OutcomeFacts & { readonly status: 'no-opinion' })
  | (OutcomeFacts & {
      readonly status: 'failed';
      readonly cause: Cause;
      /** What happened and what to do, in words for a script's author. */
      readonly message: string;
      /** A denial that could still be recognised in an invalid answer: it tightens, whatever `onFailure` says. */
      readonly decision?: Decision;
    })
  | (OutcomeFacts & { readonly status: 'skipped'; readonly message: string });

/** A failure that `onFailure: "continue"` let pass. */
export interface FailedOpen {
  readonly hook: HookName;
  readonly cause: Cause;
}

/** Merged result of one event, as JSON (PROTOCOL section 5). */
export interface VerdictDocument {
  readonly version: 1;
  readonly event: string;
  readonly eventId?: string;
  readonly decision: Decision;
  /** Present when a hook modified it. */
  readonly data?: JsonObject;
  readonly failedOpen: readonly FailedOpen[];
  readonly outcomes: readonly Outcome[];
}
