import type { Decision } from './decision.ts';
import { strictness } from './merge.ts';
import { withoutTerminalSequences } from './undressed-text.ts';

/** A decision that tightens, and so counts even in an answer that is otherwise invalid. */
export type Restriction = Extract<Decision, { action: 'deny' | 'stop' | 'ask' | 'defer' }>;

/** True for the decisions that a failed invocation may still make. */
export function isRestriction(decision: Decision): decision is Restriction {
  return ['deny', 'stop', 'ask', 'defer'].includes(decision.action);
}

const spellings: Readonly<Record<Restriction['action'], string>> = {
  deny: 'deny denied denies block blocked blocks reject rejected refuse refused forbid forbidden disallow disallowed prohibit prohibited veto vetoed cancel canceled cancelled fail failed no false',
  stop: 'stop stopped halt abort aborted terminate kill',
  ask: 'ask confirm prompt review approval-required require-approval requires-approval needs-approval',
  defer: 'defer deferred wait hold park pending postpone',
};

/** What an answer may say where its decision stands without restricting anything. Every other word there restricts. */
const permissions: ReadonlySet<string> = new Set(
  'allow allowed allows approve approved accept accepted permit permitted grant granted pass passed passthrough pass-through ok okay yes true continue proceed go go-on modify modified update updated edit none null undefined nothing no-opinion noop no-op skip skipped default success'.split(
    ' ',
  ),
);

const restrictions: ReadonlyMap<string, Restriction['action']> = new Map(
  (['deny', 'stop', 'ask', 'defer'] as const).flatMap((action) =>
    spellings[action].split(' ').map((word): [string, Restriction['action']] => [word, action]),
  ),
);

const refusals: ReadonlySet<string> = new Set(
  'deny denied denies block blocked blocks reject rejected refuse refused forbid forbidden disallow disallowed'.split(
    ' ',
  ),
);

/** Longer ones are sentences. */
const maxWord = 64;

/** A word without its case, its dress and what surrounds it; `undefined` for what is too long to be one. */
function bareWord(text: string): string | undefined {
  if (text.length > maxWord) return undefined;
  const bare = withoutTerminalSequences(text)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '');
  return bare
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, '-')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** The restriction that a word stands for, in whatever case and with whatever around it. */
export function restrictionOfWord(text: string): Restriction['action'] | undefined {
  return restrictions.get(bareWord(text) ?? '');
}

/** The same for words that mean nothing but a refusal, under whatever key they stand: `"status": "denied"`. */
export function refusalOfWord(text: string): 'deny' | undefined {
  return refusals.has(bareWord(text) ?? '') ? 'deny' : undefined;
}

/** False for words that permit, and for no word at all. */
export function isUnknownWord(text: string): boolean {
  const word = bareWord(text);
  return word === undefined || (word !== '' && !permissions.has(word));
}

/** A key as other hosts and languages may write it: `permission_decision`, `Permission-Decision`. */
export function bareKey(text: string): string {
  return text.length > maxWord
    ? ''
    : text
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[^a-z]/gu, '');
}

const falseWords: ReadonlySet<string> = new Set(['', 'false', 'no', 'null', 'none', 'undefined', '0', 'off']);

/** What a key says by being there and not false: `"block": true`. */
const saidWhenTrue: ReadonlyMap<string, Restriction['action']> = new Map([
  ['block', 'deny'],
  ['blocked', 'deny'],
  ['deny', 'deny'],
  ['denied', 'deny'],
  ['reject', 'deny'],
  ['rejected', 'deny'],
  ['stop', 'stop'],
  ['halt', 'stop'],
  ['ask', 'ask'],
  ['defer', 'defer'],
]);
/** What a key says by being false: `"continue": false`. */
const saidWhenFalse: ReadonlyMap<string, Restriction['action']> = new Map([
  ['continue', 'stop'],
  ['proceed', 'deny'],
  ['allow', 'deny'],
  ['allowed', 'deny'],
  ['approve', 'deny'],
  ['approved', 'deny'],
  ['permit', 'deny'],
  ['permitted', 'deny'],
  ['ok', 'deny'],
]);

/** The restriction that a flag stands for. `value` is its text, whether it was quoted or not. */
export function restrictionOfFlag(key: string, value: string): Restriction['action'] | undefined {
  const isFalse = falseWords.has(value.trim().toLowerCase());
  const bare = key.replace(/^(?:is|should|must)/u, '');
  return isFalse ? saidWhenFalse.get(bare) : saidWhenTrue.get(bare);
}

const dress = String.raw`[\s\\"'\x60*_|]{0,32}`;

/** `"action": "deny"`, however it is quoted, escaped, nested or spelt. Every part is bounded, so that the search is linear. */
function saidSomewhere(...actions: readonly Restriction['action'][]): string {
  const words = actions.flatMap((action) => spellings[action].split(' ')).filter((word) => word !== 'no');
  return String.raw`(?<![a-z])(?:permission[_ -]?)?(?:action|decision|permission|behaviou?r|verdict)${dress}[:=>→|-]{1,2}[\s\\"'\x60*_|[{(]{0,32}(?:${words.join('|')})(?![a-z])`;
}

const hard = new RegExp(
  [
    saidSomewhere('deny', 'stop'),
    String.raw`(?<![a-z])(?:block(?:ed)?|den(?:y|ied)|reject(?:ed)?)${dress}[:=]${dress}(?:true|yes|1)(?![a-z\d])`,
    String.raw`(?<![a-z])(?:continue|allow(?:ed)?|approved?|permit(?:ted)?)${dress}[:=]${dress}(?:false|no)(?![a-z])`,
  ].join('|'),
  'iu',
);
const soft = new RegExp(saidSomewhere('ask', 'defer'), 'iu');
/**
 * A line that is nothing but the word, or goes on with why: `BLOCKED: no`, `Access denied by policy`. "Permission denied" is
 * what a program says that could not open a file.
 */
const saidByALine =
  /^[^\p{L}\n]{0,32}(?:(?:access|action|call|command|operation|request|tool|tool call)[ \t]{1,8}(?:(?:is|was|has been)[ \t]{1,8})?)?(?:den(?:y|ied)|block(?:ed)?|reject(?:ed)?|refused?|forbidden)[^\p{L}\p{N}\n]{0,32}(?:(?::|(?<=\s)[-–—(]|(?<=\s)(?:by|because)\s).*)?$/imu;

/** What a text that has no readable structure speaks of all the same: a refusal, or that somebody must look. */
export function restrictionSpokenOf(text: string): 'deny' | 'ask' | undefined {
  if (hard.test(text) || saidByALine.test(text)) return 'deny';
  return soft.test(text) ? 'ask' : undefined;
}

export function stricterAction(
  one: Restriction['action'] | undefined,
  other: Restriction['action'] | undefined,
): Restriction['action'] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return strictness(other) > strictness(one) ? other : one;
}
