import type { AnswerReading, Cause, Decision, EventDefinition, JsonObject } from '../protocol/index.ts';
import {
  checkDecision,
  denialByExitCode,
  isRestriction,
  mergeDecision,
  readAnswer,
  readExitCodeAnswer,
} from '../protocol/index.ts';
import type { RawResult } from '../sandbox/index.ts';
import type { RunWords } from './run-words.ts';
import {
  exitMessage,
  killedMessage,
  memoryLimitMessage,
  processLimitMessage,
  signalMessage,
  silentHint,
  withStderr,
} from './run-words.ts';

/** How one handler's run is read, and what it was asked. */
export interface AnswerRules extends RunWords {
  readonly onEmpty: 'fail' | 'no-opinion';
  readonly mode: 'control' | 'observe';
  readonly definition: EventDefinition;
  /** The event's data as the handler saw it. */
  readonly data: JsonObject;
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
  if (broken !== undefined) {
    const byExit = rules.decide === 'json' ? denialByExitCode(raw.exit, rules.stderrTail) : undefined;
    return failed(broken.cause, broken.message, mergeDecision(restrictionOf(answer), byExit));
  }
  if (!answer.ok) {
    if (raw.processLimitHit) return failed('process_limit', processLimitMessage(rules), answer.decision);
    if (answer.cause === 'empty_output' && rules.onEmpty === 'no-opinion') return { status: 'no-opinion' };
    const hint = answer.cause === 'empty_output' ? silentHint(rules) : '';
    return failed(answer.cause, withStderr(`${answer.message}${hint}`, rules.stderrTail), answer.decision);
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

/** Why the run itself, whatever it printed, is no basis for an answer. */
function brokenRun(raw: RawResult, rules: AnswerRules): Broken | undefined {
  const notLaunched = (cause: Cause): Broken => ({ cause, message: launchMessage(raw), launched: false });
  if (raw.kind === 'unavailable') return notLaunched('sandbox_unavailable');
  // A launch that was cut short by the deadline or the caller did not fail by itself.
  if (raw.killed !== undefined) {
    const cause = raw.killed === 'timeout' && rules.budgetSetLimit ? 'budget_exhausted' : raw.killed;
    return ran(cause, killedMessage(raw.killed, raw, rules));
  }
  if (raw.kind === 'not-built') return notLaunched('sandbox_setup_failed');
  if (raw.kind === 'not-executed') return notLaunched('launch_failed');
  if (raw.memoryLimitHit) return ran('memory_limit', memoryLimitMessage(rules));
  const { code, signal } = raw.exit;
  if (raw.processLimitHit && code !== 0) return ran('process_limit', processLimitMessage(rules));
  if (signal !== null || code === null) return ran('signal', signalMessage(signal, rules));
  if (code !== 0 && (rules.decide === 'json' || code !== 1)) return ran('nonzero_exit', exitMessage(code, raw, rules));
  return undefined;
}

function ran(cause: Cause, message: string): Broken {
  return { cause, message, launched: true };
}

function launchMessage(raw: RawResult): string {
  const detail = raw.detail ?? 'no detail is known';
  return raw.remedy === undefined ? detail : `${detail}; ${raw.remedy}`;
}

function read(raw: RawResult, rules: AnswerRules): AnswerReading {
  if (rules.decide === 'exit-code') return readExitCodeAnswer(raw.exit, rules.stderrTail);
  return readAnswer(raw.stdout, { event: rules.definition.name });
}

/** Whatever asks for less than going on survives a failure; allow, modify and continue do not. */
function restrictionOf(answer: AnswerReading): Decision | undefined {
  if (!answer.ok) return answer.decision;
  return isRestriction(answer.decision) ? answer.decision : undefined;
}

function failed(cause: Cause, message: string, decision: Decision | undefined): FailedReading {
  return { status: 'failed', cause, message, ...(decision === undefined ? {} : { decision }) };
}
