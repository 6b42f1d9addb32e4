import type { Expectation, JsonObject, JsonValue } from '../protocol/index.ts';
import { canonicalJson, layOut } from '../protocol/index.ts';
import type { Actual, Failed } from './actual.ts';
import { lineDiff } from './line-diff.ts';
import { oneLine, quoted, unquoted, visible } from './shown-json.ts';

const maxStderrLines = 12;

/** One part of the expectation that did not come true. The texts are safe to print. */
export interface Difference {
  readonly what: keyof Expectation;
  readonly expected: string;
  readonly actual: string;
  /** More of it, a line each; `data` has its changes here, marked `-` and `+`. */
  readonly lines?: readonly string[];
}

/** Compares an expectation with what came. Pure; an empty result is a pass. */
export function compare(expected: Expectation, event: { readonly data: JsonObject }, actual: Actual): Difference[] {
  const causes = causesDifference(expected.causes ?? {}, actual.failed);
  // What went wrong is told once, where it has the most room.
  const isTold = causes !== undefined && actual.failed.some((failure) => isReason(failure, actual.reason));
  const reason = reasonDifference(expected.reason, actual.reason, isTold);
  const differences = [
    actionDifference(expected, actual, isTold || reason !== undefined),
    reason,
    jsonDifference('feedback', expected.feedback, actual.feedback),
    jsonDifference('data', expected.data ?? event.data, actual.data, expected.data === undefined),
    hooksDifference(expected.hooks, actual.hooks),
    causes,
    jsonDifference('redacted', inOrder(expected.redacted), inOrder(actual.redacted)),
  ];
  return differences.filter((difference) => difference !== undefined);
}

/** Whether a verdict's reason is a failure's message, or what it wrote to stderr. */
function isReason({ message, stderrTail }: Failed, reason: string | undefined): boolean {
  if (reason === undefined) return false;
  return reason.includes(message) || stderrTail.includes(reason.split('\n').at(-1) ?? reason);
}

function actionDifference(
  expected: Expectation,
  { decision, reason }: Actual,
  isTold: boolean,
): Difference | undefined {
  if (expected.action === decision.action) return undefined;
  const because = reason === undefined || isTold ? '' : ` (${quoted(reason)})`;
  return { what: 'action', expected: expected.action, actual: `${decision.action}${because}` };
}

/** True when an expected reason is what came; one that is not given is. */
export function reasonHolds(expected: Expectation['reason'], actual: string | undefined): boolean {
  if (expected === undefined) return true;
  if (typeof expected === 'string') return expected === actual;
  return actual?.includes(expected.contains) ?? false;
}

function reasonDifference(
  expected: Expectation['reason'],
  actual: string | undefined,
  isTold: boolean,
): Difference | undefined {
  if (expected === undefined || reasonHolds(expected, actual)) return undefined;
  return {
    what: 'reason',
    expected: typeof expected === 'string' ? quoted(expected) : `a text with ${quoted(expected.contains)}`,
    actual: actual === undefined ? 'none' : isTold ? 'the failure under causes' : quoted(actual),
  };
}

function jsonDifference(
  what: 'feedback' | 'data' | 'redacted',
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  unchanged = false,
): Difference | undefined {
  if (expected === undefined) return undefined;
  if (actual === undefined) return { what, expected: visible(canonicalJson(expected)), actual: 'none' };
  const [before, after] = [canonicalJson(expected), canonicalJson(actual)];
  if (before === after) return undefined;
  const lines = lineDiff(visible(layOut(before)), visible(layOut(after)));
  return {
    what,
    expected: unchanged ? 'unchanged' : 'as in the vector',
    actual: unchanged ? 'changed' : 'different',
    lines,
  };
}

function hooksDifference(expected: Expectation['hooks'], actual: readonly string[]): Difference | undefined {
  if (expected === undefined) {
    if (actual.length > 0) return undefined;
    return {
      what: 'hooks',
      expected: 'at least one hook to be asked',
      actual: 'none: no hook is for this event; if that is meant, expect "hooks": []',
    };
  }
  if (expected.length === actual.length && expected.every((hook, index) => hook === actual[index])) return undefined;
  return { what: 'hooks', expected: list(expected), actual: list(actual) };
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function causesDifference(
  expected: NonNullable<Expectation['causes']>,
  failed: readonly Failed[],
): Difference | undefined {
  const came = new Map(failed.map((failure) => [failure.hook, failure]));
  const lines = [...new Set([...Object.keys(expected), ...came.keys()])].toSorted().flatMap((hook): string[] => {
    const wanted = Object.hasOwn(expected, hook) ? expected[hook] : undefined;
    const failure = came.get(hook);
    if (wanted === failure?.cause) return [];
    const stderr = stderrOf(failure);
    const got =
      failure === undefined ? 'it was asked' : `${failure.cause}: ${oneLine(without(stderr, failure.message))}`;
    return [
      `${hook}: expected ${wanted ?? 'it to be asked'}, got ${got}`,
      ...stderr.map((line) => `  | ${unquoted(line)}`),
    ];
  });
  if (lines.length === 0) return undefined;
  return {
    what: 'causes',
    expected: list(Object.values(expected)),
    actual: list(failed.map(({ cause }) => cause)),
    lines,
  };
}

/** The end of a script's own complaint, which says best what is wrong with it. */
function stderrOf(failure: Failed | undefined): string[] {
  const lines = (failure?.stderrTail ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-maxStderrLines);
}

/** A message without the line of stderr in it, which stands below. */
function without(stderr: readonly string[], message: string): string {
  const said = stderr.map((line) => `; stderr: ${line.trim()}`).find((part) => message.includes(part));
  return said === undefined ? message : message.replace(said, '');
}

/** The order of redactions means nothing. */
function inOrder(redacted: Expectation['redacted']): JsonValue | undefined {
  return redacted?.map(({ pointer, kind }) => ({ pointer, kind })).toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1));
}
