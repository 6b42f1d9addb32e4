import type { Cause, Decision, Outcome, VerdictDocument } from '../protocol/index.ts';
import type { Paint } from './colour.ts';
import { blocked, exitCodes } from './exit-codes.ts';

type Action = Decision['action'];

/** Exit code of `run` and `exec` for a decision. */
export function verdictExitCode({ action }: { readonly action: Action }): number {
  return action === 'allow' || action === 'modify' ? exitCodes.ok : blocked;
}

/** What a decision means for the event. */
export const decisionWords: Readonly<Record<Action, string>> = {
  allow: 'allowed',
  modify: 'allowed, modified',
  ask: 'blocked until a person approves',
  defer: 'blocked until somebody decides',
  deny: 'denied',
  stop: 'stopped',
  continue: 'sent back to work',
};

export interface VerdictText {
  /** Strips what a terminal would obey from the text of handlers. */
  readonly clean: (text: string) => string;
  readonly paint: Paint;
}

/** The verdict for people: one line, the findings that a blocked agent needs, and every failure that was let pass. */
export function verdictText(verdict: VerdictDocument, { clean, paint }: VerdictText): string {
  const { decision, outcomes } = verdict;
  const goesOn = verdictExitCode(decision) === exitCodes.ok;
  const word = paint(goesOn ? 'green' : 'red', decisionWords[decision.action]);
  const reason = 'reason' in decision && decision.reason !== undefined ? `: ${clean(decision.reason)}` : '';
  const lines = [
    `hookcell: ${paint('bold', clean(verdict.event))} ${word}${reason} ${paint('dim', `(${facts(outcomes)})`)}`,
  ];
  if ('feedback' in decision && decision.feedback !== undefined) {
    const { feedback } = decision;
    lines.push(clean(typeof feedback === 'string' ? feedback : JSON.stringify(feedback)));
  }
  for (const { hook, cause } of verdict.failedOpen) {
    lines.push(`hookcell: ${paint('yellow', 'warning')}: ${hook.pack}/${hook.id} failed open: ${cause}`);
  }
  // After a deny the hooks behind it are not asked, as it must be; that nobody was asked and it goes on is worth a word.
  for (const outcome of goesOn ? outcomes : []) {
    if (outcome.status !== 'skipped') continue;
    const { hook, message } = outcome;
    lines.push(`hookcell: ${paint('yellow', 'warning')}: ${hook.pack}/${hook.id} was skipped: ${clean(message)}`);
  }
  return lines.join('\n');
}

function facts(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return 'no controlling hook was asked';
  const asked = outcomes.filter(({ status }) => status !== 'skipped').length;
  const skipped = outcomes.length - asked;
  const counts = [
    ...(asked > 0 ? [asked === 1 ? '1 hook' : `${asked} hooks`] : []),
    ...(skipped > 0
      ? [skipped === 1 && asked === 0 ? '1 hook skipped' : `${skipped} ${asked === 0 ? 'hooks ' : ''}skipped`]
      : []),
  ];
  const causes = [
    ...new Set(outcomes.flatMap((outcome): Cause[] => (outcome.status === 'failed' ? [outcome.cause] : []))),
  ];
  const cause = causes.length === 0 ? [] : [`cause ${causes.join(', ')}`];
  const total = outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return [...counts, ...cause, `${Math.round(total)} ms`].join(', ');
}
