import type { Program } from '../policy.ts';

/** Why a program cannot be launched, found before anything is launched. */
export interface LaunchProblem {
  readonly ok: false;
  readonly cause: 'launch_failed';
  /** e.g. `not_found`, `cr_in_shebang`, `missing_script`; the list is in docs/sandbox-view.md. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

export type ResolvedProgram = { readonly ok: true; readonly program: Program } | LaunchProblem;

export function problem(code: string, message: string, remedy: string): LaunchProblem {
  return { ok: false, cause: 'launch_failed', code, message, remedy };
}
