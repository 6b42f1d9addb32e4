import type { Restriction } from './restriction-words.ts';
import {
  isUnknownWord,
  refusalOfWord,
  restrictionOfFlag,
  restrictionOfWord,
  stricterAction,
} from './restriction-words.ts';

/** Keys whose value is the decision; in these, a word that nobody knows restricts too. */
const decisionKeys: ReadonlySet<string> = new Set([
  'decision',
  'permissiondecision',
  'permission',
  'behavior',
  'behaviour',
  'verdict',
]);
const actionKeys: ReadonlySet<string> = new Set([...decisionKeys, 'action']);
const reasonKeys: ReadonlySet<string> = new Set(['reason', 'permissiondecisionreason', 'stopreason', 'message']);
/** Containers in which a decision may stand. */
const answerKeys: ReadonlySet<string> = new Set([
  ...actionKeys,
  'hookspecificoutput',
  'hookoutput',
  'answer',
  'answers',
  'output',
  'response',
  'result',
  'results',
  'content',
  'text',
  'stdout',
  'body',
]);
/** A container that is being read. */
export interface Frame {
  readonly array: boolean;
  /** Whether a decision may stand in here. */
  readonly answer: boolean;
  /** The key that it stands under. */
  readonly under: string | undefined;
  key: string | undefined;
  action: Restriction['action'] | undefined;
  reason: string | undefined;
  modify: boolean;
  /** A restriction stands in here where no decision may. */
  elsewhere: Restriction['action'] | undefined;
  elsewhereInData: Restriction['action'] | undefined;
}

/** Opens a container in another one; `empty` when it is a list with nothing in it. */
export function openFrame(
  parent: Frame | undefined,
  { array, empty }: { readonly array: boolean; readonly empty: boolean },
): Frame {
  const under = keyOf(parent);
  // `"deny": { … }` says no as `"deny": true` does.
  if (parent?.answer === true && under !== undefined && !empty)
    parent.action = stricterAction(parent.action, restrictionOfFlag(under, 'true'));
  if (parent !== undefined && !parent.array) parent.key = undefined;
  return {
    array,
    answer: parent === undefined || (parent.answer && (under === undefined || answerKeys.has(under))),
    under,
    key: undefined,
    action: undefined,
    reason: undefined,
    modify: false,
    elsewhere: undefined,
    elsewhereInData: undefined,
  };
}

/** The key that a value stands under; the entries of a list stand under the list's own. */
function keyOf(frame: Frame | undefined): string | undefined {
  return frame?.array === true ? frame.under : frame?.key;
}

/** True for a string at a decision's place that looks like JSON. */
export function isEncoded(frame: Frame, text: string): boolean {
  const key = keyOf(frame);
  return frame.answer && key !== undefined && answerKeys.has(key) && /^\s*[[{"]/u.test(text);
}

/** Takes a value that is a string or a bare word. */
export function takeWord(frame: Frame, text: string, quoted: boolean): void {
  const key = keyOf(frame);
  const known = restrictionOfWord(text);
  const add = (action: Restriction['action'] | undefined): void => {
    frame.action = stricterAction(frame.action, action);
  };
  if (!frame.answer) {
    if (key !== undefined && actionKeys.has(key)) frame.elsewhere = stricterAction(frame.elsewhere, known);
  } else if (key === undefined) {
    if (quoted && frame.array) add(refusalOfWord(text));
  } else if (reasonKeys.has(key)) {
    if (quoted) frame.reason ??= text;
  } else if (actionKeys.has(key)) {
    frame.modify ||= text === 'modify';
    const inDecision = isDecision(frame) || decisionKeys.has(key);
    add(known ?? (quoted && inDecision && isUnknownWord(text) ? 'deny' : undefined));
  } else {
    add(restrictionOfFlag(key, text));
    // `{"decision": {"type": "deny"}}`: whatever the key is called.
    if (quoted && key !== 'feedback') add(isDecision(frame) ? known : refusalOfWord(text));
  }
}

function isDecision({ under }: Frame): boolean {
  return under !== undefined && actionKeys.has(under);
}

/** What a closed container says at a place where no decision may stand: to its parent, or at the top to the caller. */
export function passOn(frame: Frame, parent: Frame | undefined): Restriction['action'] | undefined {
  const found = stricterAction(frame.elsewhere, frame.modify ? undefined : frame.elsewhereInData);
  if (parent === undefined) return found;
  if (frame.under === 'data' && parent.answer) parent.elsewhereInData = stricterAction(parent.elsewhereInData, found);
  else parent.elsewhere = stricterAction(parent.elsewhere, found);
  return undefined;
}
