/** Why a view cannot be made as asked; nothing was launched. The cause of the outcome is `sandbox_setup_failed`. */
export interface ViewProblem {
  readonly ok: false;
  /** e.g. `path_missing`, `write_too_broad`, `write_configuration`; the list is in docs/sandbox-view.md. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

export function viewProblem(code: string, message: string, remedy: string): ViewProblem {
  return { ok: false, code, message, remedy };
}
