import { z } from 'zod';
import type { Cause } from './causes.ts';
import { causes } from './causes.ts';
import { Decision } from './decision.ts';
import { JsonObject } from './json-value.ts';

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

const HookNameSchema = z.strictObject({ pack: z.string(), id: z.string() });
const count = z.int().min(0);
const milliseconds = z.number().min(0);

const facts = {
  hook: HookNameSchema,
  mode: z.enum(['control', 'observe']),
  durationMs: milliseconds,
  queueMs: milliseconds,
  timeoutMs: z.int().min(1),
  bytes: z.strictObject({ stdin: count, stdinUnread: count, stdout: count, stderr: count }),
  exit: z.strictObject({ code: z.int().nullable(), signal: z.string().nullable() }),
  sandbox: z
    .strictObject({
      backend: z.enum(['bubblewrap', 'none']),
      enforced: z.strictObject({
        filesystem: z.enum(['view', 'none']),
        network: z.enum(['namespace+seccomp', 'host', 'none']),
        processes: z.enum(['cgroup-v2', 'cgroup-v1', 'rlimit', 'none']),
        memory: z.enum(['cgroup-v2', 'cgroup-v1', 'rlimit', 'none']),
        kill: z.enum(['cgroup.kill', 'pid-namespace', 'process-group']),
        syscalls: z.enum(['seccomp', 'none']),
      }),
    })
    .exactOptional(),
  stderrTail: z.string(),
  notes: z.array(z.string()).exactOptional(),
};

export const Outcome: z.ZodType<Outcome> = z.discriminatedUnion('status', [
  z.strictObject({ ...facts, status: z.literal('answered'), decision: Decision }),
  z.strictObject({ ...facts, status: z.literal('no-opinion') }),
  z.strictObject({
    ...facts,
    status: z.literal('failed'),
    cause: z.enum(causes),
    message: z.string(),
    decision: Decision.exactOptional(),
  }),
  z.strictObject({ ...facts, status: z.literal('skipped'), message: z.string() }),
]);

export const VerdictDocument: z.ZodType<VerdictDocument> = z.strictObject({
  version: z.literal(1),
  event: z.string(),
  eventId: z.string().exactOptional(),
  decision: Decision,
  data: z.exactOptional(JsonObject),
  failedOpen: z.array(z.strictObject({ hook: HookNameSchema, cause: z.enum(causes) })),
  outcomes: z.array(Outcome),
});
