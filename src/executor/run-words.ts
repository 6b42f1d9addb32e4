import type { KillReason, Limits, RawResult } from '../sandbox/index.ts';

/** What the words about a run need to know of it. */
export interface RunWords {
  readonly decide: 'json' | 'exit-code';
  readonly limits: Limits;
  /** True when the event's total time, not the hook's own limit, set the time limit. */
  readonly budgetSetLimit: boolean;
  /** stderr, fit to be shown. */
  readonly stderrTail: string;
  /** The hook is a program of the command line, and there is no pack to write in. */
  readonly byFlags: boolean;
}

const MiB = 1024 * 1024;

/** A run that hookcell ended: why, and what to do. */
export function killedMessage(
  reason: KillReason,
  raw: RawResult,
  { limits, budgetSetLimit, stderrTail, byFlags }: RunWords,
): string {
  if (reason === 'canceled') return 'canceled by the caller before the hook had ended; nothing is wrong with the hook';
  if (reason === 'output_limit')
    return `printed more than ${limits.maxOutputBytes} bytes on stdout; print the decision alone, and everything else on stderr`;
  if (reason === 'stderr_limit')
    return withStderr(`printed more than ${limits.maxStderrBytes} bytes on stderr; log less`, stderrTail);
  const raise = `raise ${byFlags ? '--timeout-ms' : 'timeoutMs'}`;
  const slow =
    raw.bytes.stdout > 0
      ? `it had printed something and gone on: end the program after its answer, or ${raise}`
      : `make it quicker, or ${raise}`;
  const next = budgetSetLimit ? 'that was all the event had left: use fewer or quicker hooks' : slow;
  return withStderr(`timeout after ${limits.timeoutMs} ms; ${next}`, stderrTail);
}

export function memoryLimitMessage({ limits, byFlags }: RunWords): string {
  const more = byFlags ? 'raise --memory-mb' : 'ask for more by "memoryMb" in the pack';
  return `hit the memory limit of ${Math.floor(limits.memoryBytes / MiB)} MiB; use less, or ${more}`;
}

export function processLimitMessage({ limits, byFlags }: RunWords): string {
  const more = byFlags ? 'raise --max-processes' : 'ask for more by "maxProcesses" in the pack';
  return `hit the limit of ${limits.maxProcesses} processes; start fewer, or ${more}`;
}

const signalHints: Readonly<Record<string, string>> = {
  SIGSEGV: 'it crashed',
  SIGBUS: 'it crashed',
  SIGABRT: 'it gave up by itself',
  SIGILL: 'it crashed',
  SIGKILL: 'hookcell did not send it: look for what in the hook kills processes',
  SIGTERM: 'hookcell did not send it: look for what in the hook ends processes',
  SIGPIPE: 'it wrote to a pipe that nobody reads any more',
  SIGSYS: 'it made a system call of another architecture, which the sandbox refuses',
  SIGXCPU: 'it used up its processor time: look for an endless loop',
};

export function signalMessage(signal: string | null, { limits, stderrTail }: RunWords): string {
  const name = signal ?? 'an unknown signal';
  const hint = signal === 'SIGXFSZ' ? `it wrote a file beyond ${limits.maxFileBytes} bytes` : signalHints[signal ?? ''];
  return withStderr(
    `ended by ${name}${hint === undefined ? '' : ` (${hint})`}; what it printed does not count`,
    stderrTail,
  );
}

const exitHints: Readonly<Record<number, string>> = {
  126: 'a shell says so when a program is not executable: chmod +x',
  127: 'a shell says so when a program is not found inside the sandbox',
};

/** An exit code that stands for no decision. */
export function exitMessage(code: number, raw: RawResult, words: RunWords): string {
  const { decide, stderrTail } = words;
  const hint = exitHints[code] ?? otherStyle(code, raw, words);
  return withStderr(`exit code ${code}, ${meaningOf(code, decide)}${hinted(hint)}`, stderrTail);
}

function meaningOf(code: number, decide: RunWords['decide']): string {
  if (decide === 'exit-code') return 'expected 0 (allow) or 1 (deny), the two that decide';
  return code === 2
    ? 'which counts as a denial; expected 0 with a decision on stdout'
    : 'expected 0 with a decision on stdout';
}

/** What interpreters say at the end of an uncaught error: such an exit is no answer. */
const crashWords = /^\w*(?:Error|Exception|Interrupt)\b|^Node\.js v|\bsyntax error\b/u;

/** Checks that answer by their exit code, and hooks of other hosts, print nothing. */
function otherStyle(code: number, { bytes }: RawResult, { decide, stderrTail, byFlags }: RunWords): string | undefined {
  if (bytes.stdout > 0 || code > 2 || crashWords.test(lastLine(stderrTail))) return undefined;
  if (decide === 'exit-code') return code === 2 ? 'hosts where 2 denies say here: exit 1' : undefined;
  return code === 2 ? undefined : byExitCode(byFlags);
}

function byExitCode(byFlags: boolean): string {
  const how = byFlags ? 'give --decide exit-code' : 'say "decide": "exit-code" in the pack';
  return `if its exit code is its answer, ${how}: then 0 allows and 1 denies`;
}

/** Exit 0 and no output: how a check without JSON says that it has no objection. */
export function silentHint({ byFlags }: RunWords): string {
  const silence = byFlags ? '--on-empty no-opinion' : '"onEmpty": "no-opinion"';
  return ` (${byExitCode(byFlags)}; if silence means no objection, ${silence})`;
}

/** What programs say when the sandbox refused them something; the sandbox itself says nothing to them. */
const refusedWords =
  /permission denied|operation not permitted|read-only file system|no such file|not found|cannot find module|no module named|network is unreachable|temporary failure in name resolution|resource temporarily unavailable|no space left|too many open files|\bE(?:ACCES|PERM|ROFS|NOENT|AGAIN|NOSPC|MFILE)\b/iu;

/** Where to look on; left out by `try` itself. */
export const tryHint = '`hookcell try` shows what the sandbox refused';

/** Adds the last line of stderr: most often it says what went wrong. */
export function withStderr(message: string, stderrTail: string): string {
  const line = lastLine(stderrTail);
  if (line === '') return message;
  return `${message}; stderr: ${line}${hinted(stderrHint(line))}`;
}

function stderrHint(line: string): string | undefined {
  if (line.startsWith('ModuleNotFoundError: No module named '))
    return 'Python does not look beside the script here; for a module of yours, first: import os, sys; sys.path.append(os.path.dirname(__file__))';
  return refusedWords.test(line) ? tryHint : undefined;
}

/** The last line; of Node.js, which ends with its version, the line that names the error. */
function lastLine(text: string): string {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const line = last.startsWith('Node.js v')
    ? (lines.findLast((one) => /^\w*(?:Error|Exception)\b/u.test(one)) ?? last)
    : last;
  return line.trim().slice(0, 300);
}

function hinted(hint: string | undefined): string {
  return hint === undefined ? '' : ` (${hint})`;
}
