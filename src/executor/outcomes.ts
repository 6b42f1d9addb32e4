import type { Cause, HookName, Outcome } from '../protocol/index.ts';

/** What every outcome has. */
export type OutcomeFacts = Omit<Extract<Outcome, { status: 'no-opinion' }>, 'status'>;

/** Facts of an invocation that launched nothing. */
export function emptyFacts(hook: HookName, mode: 'control' | 'observe', timeoutMs: number): OutcomeFacts {
  return {
    hook,
    mode,
    durationMs: 0,
    queueMs: 0,
    timeoutMs,
    bytes: { stdin: 0, stdinUnread: 0, stdout: 0, stderr: 0 },
    exit: { code: null, signal: null },
    stderrTail: '',
  };
}

export function failedOutcome(
  facts: OutcomeFacts,
  cause: Cause,
  message: string,
  more: Partial<OutcomeFacts> = {},
): Outcome {
  return { ...facts, ...more, status: 'failed', cause, message };
}

export function skippedOutcome(facts: OutcomeFacts, message: string): Outcome {
  return { ...facts, status: 'skipped', message };
}

/** The message of an error of our own. */
export function internalMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `an error of hookcell itself: ${message}; please report it, with what \`hookcell doctor --report\` prints`;
}
