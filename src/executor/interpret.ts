import type { AnswerReading, Cause, Decision, EventDefinition, JsonObject } from '../protocol/index.ts';
import { checkDecision, readAnswer, readExitCodeAnswer } from '../protocol/index.ts';
import type { KillReason, RawResult } from '../sandbox/index.ts';

/** How one handler's run is read, and what it was asked. */
export interface AnswerRules {
  readonly decide: 'json' | 'exit-code';
  readonly onEmpty: 'fail' | 'no-opinion';
  readonly mode: 'control' | 'observe';
  readonly definition: EventDefinition;
  /** The event's data as the handler saw it. */
  readonly data: JsonObject;
  readonly timeoutMs: number;
  /** True when the event's total time, not the hook's own limit, set `timeoutMs`. */
  readonly budgetSetLimit: boolean;
  /** stderr, fit to be shown. */
  readonly stderrTail: string;
}

/** What one run came to. */
export type Reading =
  | { readonly status: 'answered'; readonly decision: Decision }
  | { readonly status: 'no-opinion' }
  | FailedReading;

export interface FailedReading {
  readonly status: 'failed';
  readonly cause: Cause;
  readonly message: string;
  /** A restriction that was said all the same. */
  readonly decision?: Decision;
}

/**
 * Reads a run. An answer counts only when the program exited 0, nothing killed it, no memory-limit event was recorded
 * and the strict parse succeeded; of everything else only a restriction is kept. Pure.
 */
export function interpret(raw: RawResult, rules: AnswerRules): Reading {
  const broken = brokenRun(raw, rules);
  if (broken?.launched === false) return { status: 'failed', cause: broken.cause, message: broken.message };
  const answer = read(raw, rules);
  if (broken !== undefined) return failed(broken.cause, broken.message, restrictionOf(answer));
  if (!answer.ok) {
    if (raw.processLimitHit) return failed('process_limit', processLimitMessage, answer.decision);
    if (answer.cause === 'empty_output' && rules.onEmpty === 'no-opinion') return { status: 'no-opinion' };
    return failed(answer.cause, withStderr(answer.message, rules.stderrTail), answer.decision);
  }
  const check = checkDecision(answer.decision, rules.definition, { data: rules.data, mode: rules.mode });
  if (!check.ok) return failed(check.cause, check.message, restrictionOf(answer));
  return { status: 'answered', decision: answer.decision };
}

interface Broken {
  readonly cause: Cause;
  readonly message: string;
  /** False when nothing of the handler ran, so that nothing can have been said. */
  readonly launched: boolean;
}

const processLimitMessage = 'hit the process limit; raise maxProcesses or start fewer processes';

/** Why the run itself, whatever it printed, is no basis for an answer. */
function brokenRun(raw: RawResult, rules: AnswerRules): Broken | undefined {
  const notLaunched = (cause: Cause): Broken => ({ cause, message: launchMessage(raw), launched: false });
  if (raw.kind === 'unavailable') return notLaunched('sandbox_unavailable');
  // A launch that was cut short by the deadline or the caller did not fail by itself.
  if (raw.killed !== undefined) return killed(raw.killed, rules);
  if (raw.kind === 'not-built') return notLaunched('sandbox_setup_failed');
  if (raw.kind === 'not-executed') return notLaunched('launch_failed');
  if (raw.memoryLimitHit) return ran('memory_limit', 'hit the memory limit; raise the limit or use less memory');
  const { code, signal } = raw.exit;
  if (raw.processLimitHit && code !== 0) return ran('process_limit', processLimitMessage);
  if (signal !== null || code === null)
    return ran('signal', withStderr(`ended by ${signal ?? 'an unknown signal'}`, rules.stderrTail));
  if (code !== 0 && rules.decide === 'json')
    return ran('nonzero_exit', withStderr(exitMessage(code), rules.stderrTail));
  return undefined;
}

function ran(cause: Cause, message: string): Broken {
  return { cause, message, launched: true };
}

function killed(reason: KillReason, rules: AnswerRules): Broken {
  if (reason === 'timeout' && rules.budgetSetLimit) {
    return ran('budget_exhausted', `the event's total time was spent after ${rules.timeoutMs} ms of this hook`);
  }
  const messages: Readonly<Record<KillReason, string>> = {
    timeout: `timeout after ${rules.timeoutMs} ms`,
    canceled: 'canceled by the caller',
    output_limit: 'printed more on stdout than its limit; print one JSON object only',
    stderr_limit: 'printed more on stderr than its limit',
  };
  return ran(reason, messages[reason]);
}

function launchMessage(raw: RawResult): string {
  const detail = raw.detail ?? 'no detail is known';
  return raw.remedy === undefined ? detail : `${detail}; ${raw.remedy}`;
}

const exitHints: Readonly<Record<number, string>> = {
  126: ' (a shell says so when a program is not executable)',
  127: ' (a shell says so when a program is not found inside the sandbox)',
};

function exitMessage(code: number): string {
  return `exit code ${code}${exitHints[code] ?? ''}, expected 0 with a decision on stdout`;
}

/** Adds the last line of stderr: most often it says what went wrong. */
function withStderr(message: string, stderrTail: string): string {
  const line = stderrTail.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? message : `${message}; stderr: ${line.slice(0, 300)}`;
}

function read(raw: RawResult, rules: AnswerRules): AnswerReading {
  if (rules.decide === 'exit-code') return readExitCodeAnswer(raw.exit, rules.stderrTail);
  return readAnswer(raw.stdout, { event: rules.definition.name });
}

/** Whatever asks for less than going on survives a failure; allow, modify and continue do not. */
function restrictionOf(answer: AnswerReading): Decision | undefined {
  if (!answer.ok) return answer.decision;
  const { action } = answer.decision;
  return action === 'deny' || action === 'stop' || action === 'ask' || action === 'defer' ? answer.decision : undefined;
}

function failed(cause: Cause, message: string, decision: Decision | undefined): FailedReading {
  return { status: 'failed', cause, message, ...(decision === undefined ? {} : { decision }) };
}
