import type { Cause, HookName, Matcher } from '../protocol/index.ts';
import type { EffectiveValue } from './asked.ts';
import type { Project, Untrusted } from './discover.ts';
import type { LoadedHook } from './loaded-hook.ts';
import type { Scope } from './plan.ts';

/** Why something could not be asked as things stand. */
export interface Problem {
  readonly cause: Cause;
  readonly message: string;
}

/** One hook as it stands, before any event. */
export interface ListedHook {
  readonly hook: HookName;
  readonly file: string;
  readonly scope: Scope;
  /** Blocks when the kill switch is on. */
  readonly required: boolean;
  readonly event: string;
  readonly matcher: Matcher;
  readonly mode: 'control' | 'observe';
  readonly priority: number;
  readonly onFailure: 'block' | 'continue';
  readonly timeoutMs: number;
  /** What it gets, with who asked and who granted; empty when it gets nothing, since it could not be asked. */
  readonly effective: readonly EffectiveValue[];
  /** Why it could not be asked as things stand. */
  readonly problem?: Problem;
}

/** What an executor stands in. */
export interface Surroundings {
  readonly project: Pick<Project, 'root' | 'foundBy'>;
  /** The operator's configuration files, and whether each is there. */
  readonly configuration: readonly { readonly file: string; readonly found: boolean }[];
  /** What holds for all hooks, each with who said it. */
  readonly settings: readonly EffectiveValue[];
}

/** The effective hooks and settings, with the origin of every value. */
export interface Listing extends Surroundings {
  readonly hooks: readonly ListedHook[];
  /** Packs in the project that must not run; guard events are blocked while there are any. */
  readonly untrusted: readonly string[];
  /** What is wrong with them, and what to do. */
  readonly problem?: Problem;
}

/** Runs nothing, but looks for the program: a hook without one is as good as none, and blocks. */
export function listHook(loaded: LoadedHook): ListedHook {
  const { hook, name, from, scope, policy, timeoutMs } = loaded;
  const problem = problemOf(loaded);
  return {
    hook: name,
    file: from.pack.file,
    scope,
    required: from.pack.required,
    event: hook.event,
    matcher: hook.matcher,
    mode: hook.mode,
    priority: hook.priority,
    onFailure: hook.onFailure,
    timeoutMs,
    effective: policy.ok ? policy.effective : [],
    ...(problem === undefined ? {} : { problem }),
  };
}

function problemOf(loaded: LoadedHook): Problem | undefined {
  const { policy } = loaded;
  if (!policy.ok) return { cause: policy.cause, message: policy.message };
  const program = loaded.program();
  return program.ok ? undefined : { cause: program.cause, message: `${program.message}; ${program.remedy}` };
}

/** What `list` and `explain` say of packs that must not run. */
export function untrustedPart(untrusted: Untrusted | undefined): Pick<Listing, 'untrusted' | 'problem'> {
  if (untrusted === undefined) return { untrusted: [] };
  return { untrusted: untrusted.files, problem: { cause: 'untrusted', message: untrusted.message } };
}
