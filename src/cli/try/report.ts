import type { Trial } from '../../executor/index.ts';
import { tryHint } from '../../executor/index.ts';
import { causeCatalogue, cleanForPeople, cutText, Envelope, layOut } from '../../protocol/index.ts';
import type { Cause, Decision, Outcome } from '../../protocol/index.ts';
import { sandboxHome } from '../../sandbox/index.ts';
import type { Paint } from '../colour.ts';
import { hookTitle } from '../report-hooks.ts';
import { decisionWords } from '../report-verdict.ts';
import { refusalText } from './refusal-text.ts';

export interface TrialSetting {
  readonly paint: Paint;
  readonly hostPath: string;
  /** The hook comes from a pack, not from the command line. */
  readonly hasPack: boolean;
  readonly projectRoot: string;
}

/** A path or a word with a newline must not begin a line of its own. */
function oneLine(text: string): string {
  return cleanForPeople(text.replaceAll('\n', String.raw`\n`));
}

/** Everything about one trial for people. Whatever comes from outside is cleaned of what a terminal would obey. */
export function trialText(trial: Trial, setting: TrialSetting): string {
  const { paint } = setting;
  const { hook, argv, unasked } = trial;
  const head = [
    paint(
      'bold',
      hookTitle(hook, (_, text) => text),
    ),
    ...(argv === undefined ? [] : [`argv ${cleanForPeople(JSON.stringify(argv))}`]),
  ];
  if (unasked !== undefined) return [...head, '', paint('yellow', cleanForPeople(`not asked: ${unasked}`))].join('\n');
  const outcome = trial.verdict?.outcomes[0];
  const parts = [
    head,
    envelopeLines(trial, paint),
    answerLines(trial, outcome, paint),
    outcome === undefined ? [] : outcomeLines(trial, outcome, setting),
    outcome === undefined ? [] : factLines(trial, outcome),
    refusalLines(trial, setting),
    outcome === undefined ? [] : homeLines(outcome, paint),
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

const marker = /\[REDACTED:[^\]\s"]{1,120}\]/gu;

function envelopeLines({ envelope, verdict }: Trial, paint: Paint): string[] {
  if (envelope === undefined) return [];
  const bytes = verdict?.outcomes[0]?.bytes.stdin ?? 0;
  const parsed: unknown = JSON.parse(envelope);
  const { data } = Envelope.safeParse(parsed);
  const redacted = (data?.redacted ?? []).map(({ pointer, kind }) =>
    paint('yellow', oneLine(`  redacted ${pointer}: ${kind}`)),
  );
  const shown = indented(cutText(layOut(envelope))).map((line) =>
    line.replaceAll(marker, (text) => paint('yellow', text)),
  );
  return [paint('bold', `envelope on stdin, ${bytes} bytes`), ...shown, ...redacted];
}

function answerLines({ answer }: Trial, outcome: Outcome | undefined, paint: Paint): string[] {
  if (answer === undefined || outcome === undefined) return [];
  const { stdout, stderr } = outcome.bytes;
  const stderrLines = stderr === 0 ? [] : [paint('bold', `stderr, ${stderr} bytes`), ...indented(outcome.stderrTail)];
  const shown = stdout === 0 ? ['  (nothing)'] : indented(answer);
  return [paint('bold', `answer on stdout, ${stdout} bytes`), ...shown, ...stderrLines];
}

function outcomeLines(trial: Trial, outcome: Outcome, { paint, hasPack }: TrialSetting): string[] {
  const { verdict, hook } = trial;
  const lines = [`${paint('bold', 'outcome')}  ${outcomeWords(outcome, paint)}`];
  const remedy = outcome.status === 'failed' ? remedyOf(outcome, trial, hasPack) : undefined;
  if (remedy !== undefined) lines.push(`  ${paint('dim', remedy)}`);
  for (const note of outcome.notes ?? []) lines.push(`  note: ${cleanForPeople(note)}`);
  if (verdict === undefined) return lines;
  if (hook.mode === 'observe') return [...lines, `${paint('bold', 'event')}    goes on: the hook only watches`];
  const { decision, data } = verdict;
  // The verdict's reason repeats the message above.
  const unasked = outcome.status === 'failed' && outcome.decision === undefined;
  const reason = unasked ? 'the hook could not be asked' : reasonOf(decision);
  lines.push(`${paint('bold', 'event')}    ${decisionWords[decision.action]}${reason === '' ? '' : `: ${reason}`}`);
  if (data !== undefined) lines.push(...indented(cleanForPeople(JSON.stringify(data, null, 2))));
  return lines;
}

/** Without a pack there is none to mend or to validate. */
const remediesOfProgram: Readonly<Partial<Record<Cause, string>>> = {
  launch_failed: 'Check the path (relative ones start in this directory), and a script’s first line.',
  timeout: 'Make the program quicker, or raise --timeout-ms.',
  output_limit: 'Print the answer alone; send logs to stderr. Raise --max-output-bytes only for large modified data.',
  memory_limit: 'Use less memory, or raise --memory-mb.',
  process_limit: 'Start fewer processes, or raise --max-processes.',
};

type Failed = Extract<Outcome, { readonly status: 'failed' }>;

function remedyOf(outcome: Failed, { decide, trace }: Trial, hasPack: boolean): string | undefined {
  const { cause } = outcome;
  // Packs are taken as they are here, so there is nothing to accept: the message has the grant that is missing.
  if (cause === 'untrusted') return undefined;
  // The message says what stands in the way, and what to do about it.
  if (cause === 'sandbox_setup_failed') return undefined;
  const wasRefused = trace?.state === 'traced' && trace.refusals.length > 0;
  if (cause === 'nonzero_exit' && wasRefused) return 'Look first at what the sandbox refused, below.';
  if (cause === 'nonzero_exit') return exitRemedy(outcome, decide, hasPack);
  return (hasPack ? undefined : remediesOfProgram[cause]) ?? causeCatalogue[cause].remedy;
}

/** Only what the message does not say already. */
function exitRemedy({ exit, bytes, message }: Failed, decide: Trial['decide'], hasPack: boolean): string | undefined {
  if (exit.code === 126 || exit.code === 127) return undefined;
  if (decide === 'exit-code') return 'Exit 0 to allow and 1 to deny; every other code is a failure, stdout is ignored.';
  const flag = hasPack ? '"decide": "exit-code"' : '--decide exit-code';
  const otherwise = message.includes('exit-code') ? '' : ` For checks without JSON use ${flag}.`;
  return `Exit 0 after printing the answer${bytes.stderr > 0 ? '; stderr is above' : ''}.${otherwise}`;
}

function outcomeWords(outcome: Outcome, paint: Paint): string {
  if (outcome.status === 'answered') {
    const reason = reasonOf(outcome.decision);
    return `${paint('green', outcome.decision.action)}${reason === '' ? '' : `: ${reason}`}`;
  }
  if (outcome.status === 'no-opinion') return 'no opinion';
  if (outcome.status === 'skipped') return `skipped: ${cleanForPeople(outcome.message)}`;
  return `${paint('red', `failed: ${outcome.cause}`)}: ${cleanForPeople(outcome.message.replace(` (${tryHint})`, ''))}`;
}

function reasonOf(decision: Decision): string {
  return 'reason' in decision && decision.reason !== undefined ? cleanForPeople(decision.reason) : '';
}

function factLines({ timings, trace }: Trial, { queueMs, timeoutMs, bytes, sandbox, exit }: Outcome): string[] {
  if (timings === undefined) return [];
  const { launchMs, runMs, drainMs } = timings;
  const parts = { queue: queueMs, launch: launchMs, run: runMs, drain: drainMs };
  const times = Object.entries(parts).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
  const slowed = trace?.state === 'traced' ? '; tracing slows it, --no-trace shows true times' : '';
  const how = exit.signal === null ? `exit code ${String(exit.code)}` : `ended by ${exit.signal}`;
  const enforced = Object.entries(sandbox?.enforced ?? {}).map(([what, by]) => `${what} ${String(by)}`);
  return [
    `time     ${times.join(', ')} (limit ${timeoutMs} ms${slowed})`,
    `bytes    stdin ${bytes.stdin} (${bytes.stdinUnread} of them not read by the hook), stdout ${bytes.stdout}, stderr ${bytes.stderr}`,
    `end      ${how}`,
    `wall     ${sandbox?.backend ?? 'none'}: ${enforced.join(', ')}`,
  ];
}

function refusalLines({ trace, granted }: Trial, { paint, hostPath, hasPack, projectRoot }: TrialSetting): string[] {
  if (trace === undefined) return [];
  if (trace.state === 'untraced') {
    const why = oneLine(`unknown: ${trace.why}`);
    return [`${paint('bold', 'refused')}  ${paint('yellow', why)}`, `    ${oneLine(trace.remedy)}`];
  }
  const { refusals, incomplete } = trace;
  const more = incomplete ? ['  and perhaps more: it tried more than is looked at'] : [];
  if (refusals.length === 0) return [`${paint('bold', 'refused')}  ${paint('green', 'nothing')}`, ...more];
  const texts = refusals.map((refusal) => refusalText(refusal, { hasPack, hostPath, granted, projectRoot }));
  const lines = texts.flatMap(({ what, advice }) => [
    `  ${paint('red', '✗')} ${oneLine(what)}`,
    ...advice.map((line) => `      ${oneLine(line)}`),
  ]);
  return [paint('bold', 'refused by the sandbox'), ...lines, ...more];
}

/** A file of the operator's home exists at no such path inside, so that nothing was refused: it was not there. */
function homeLines({ status, stderrTail }: Outcome, paint: Paint): string[] {
  if (status !== 'failed' || !stderrTail.includes(`${sandboxHome}/`)) return [];
  return [
    `${paint('bold', 'HOME')}     is ${sandboxHome} in the sandbox, private and empty: name a file of your own home by its whole path, and grant that`,
  ];
}

function indented(text: string): string[] {
  return cleanForPeople(text)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}
