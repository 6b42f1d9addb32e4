import type { Event, HookName } from '../protocol/index.ts';
import type { Policy } from '../sandbox/index.ts';
import type { LoadedHook } from './loaded-hook.ts';

/** What would happen to one hook at an event. */
export interface ExplainedHook {
  readonly hook: HookName;
  readonly file: string;
  readonly event: string;
  readonly mode: 'control' | 'observe';
  readonly priority: number;
  readonly onFailure: 'block' | 'continue';
  readonly timeoutMs: number;
  readonly runs: boolean;
  /** Why it runs, or why not. */
  readonly why: string;
  /** The final argument vector, when the program was found. */
  readonly argv?: readonly string[];
  /** What it gets; of the environment only the names. */
  readonly policy?: Omit<Policy, 'env'> & { readonly env: readonly string[] };
  /** Why it could not be asked as things stand. */
  readonly problem?: { readonly cause: string; readonly message: string };
}

/** What hooks would run on an event, in their order, which not, and why. */
export interface Explanation {
  readonly event: string;
  readonly hooks: readonly ExplainedHook[];
  /** Packs in the project that nobody accepted; guard events are blocked while there are any. */
  readonly untrusted: readonly string[];
}

/** Runs nothing; looks only for the programs. */
export function explainHook(loaded: LoadedHook, event: Event): ExplainedHook {
  const { hook, name, from, definition, matcher, policy, timeoutMs } = loaded;
  const match =
    hook.event === event.event ? matcher(event, definition) : { matches: false as const, why: `is for ${hook.event}` };
  const program = loaded.program();
  return {
    hook: name,
    file: from.pack.file,
    event: hook.event,
    mode: hook.mode,
    priority: hook.priority,
    onFailure: hook.onFailure,
    timeoutMs,
    runs: match.matches,
    why: match.matches ? 'matches the event' : match.why,
    ...(program.ok ? { argv: program.program.argv } : {}),
    ...(policy.ok ? { policy: { ...policy.policy, env: Object.keys(policy.policy.env) } } : {}),
    ...problemOf(policy, program),
  };
}

function problemOf(
  policy: LoadedHook['policy'],
  program: ReturnType<LoadedHook['program']>,
): Pick<ExplainedHook, 'problem'> {
  if (!policy.ok) return { problem: { cause: policy.cause, message: policy.message } };
  if (!program.ok) return { problem: { cause: program.cause, message: `${program.message}; ${program.remedy}` } };
  return {};
}
