import type { Event } from '../protocol/index.ts';
import type { Policy } from '../sandbox/index.ts';
import type { ListedHook, Problem, Surroundings } from './list.ts';
import { listHook } from './list.ts';
import type { LoadedHook } from './loaded-hook.ts';

/** What would happen to one hook at an event. */
export interface ExplainedHook extends ListedHook {
  readonly runs: boolean;
  /** Why it runs, or why not. */
  readonly why: string;
  /** The final argument vector, when it runs and the program was found. */
  readonly argv?: readonly string[];
  /** What it gets; of the environment only the names. */
  readonly policy?: Omit<Policy, 'env'> & { readonly env: readonly string[] };
}

/** What hooks would run on an event, in their order, which not, and why. */
export interface Explanation {
  readonly event: string;
  readonly project: Surroundings['project'];
  readonly hooks: readonly ExplainedHook[];
  /** Packs in the project that must not run; guard events are blocked while there are any. */
  readonly untrusted: readonly string[];
  /** What is wrong with them, and what to do. */
  readonly problem?: Problem;
}

/** Runs nothing. */
export function explainHook(loaded: LoadedHook, event: Event): ExplainedHook {
  const { hook, definition, matcher, policy } = loaded;
  const listed = listHook(loaded);
  if (hook.event !== event.event) return { ...listed, runs: false, why: `is for ${hook.event}` };
  const match = matcher(event, definition);
  if (!match.matches) return { ...listed, runs: false, why: match.why };
  const program = loaded.program();
  return {
    ...listed,
    runs: true,
    why: 'matches the event',
    ...(program.ok ? { argv: program.program.argv } : {}),
    ...(policy.ok ? { policy: { ...policy.policy, env: Object.keys(policy.policy.env) } } : {}),
  };
}
