import type { Decision } from './decision.ts';

/** A decision that tightens, and so counts even in an answer that is otherwise invalid. */
export type Restriction = Extract<Decision, { action: 'deny' | 'stop' | 'ask' }>;

/** True for the decisions that a failed invocation may still make. */
export function isRestriction(decision: Decision): decision is Restriction {
  return decision.action === 'deny' || decision.action === 'stop' || decision.action === 'ask';
}

const strictness = { ask: 1, deny: 2, stop: 3 } as const;
/** `block` is how most foreign hosts spell it. */
const words: ReadonlyMap<string, Restriction['action']> = new Map([
  ['deny', 'deny'],
  ['block', 'deny'],
  ['stop', 'stop'],
  ['ask', 'ask'],
]);
const actionKeys: ReadonlySet<string> = new Set(['action', 'decision', 'permissionDecision']);
const reasonKeys: ReadonlySet<string> = new Set(['reason', 'permissionDecisionReason']);
const answerKeys: ReadonlySet<string> = new Set(['decision', 'hookSpecificOutput']);
/** Deeper containers are counted, not looked into. */
const maxFrames = 256;

/**
 * Looks for the strictest `deny`, `stop` or `ask` in text that is no valid answer: noise around it, duplicate keys,
 * several documents, a cut end, single quotes. It looks only where a decision may stand (the top object, its
 * `decision`), never into `data`, where `"action": "stop"` is a tool's own word. Linear; never finds an allow.
 */
export function recogniseRestriction(text: string): Restriction | undefined {
  return new Scan(text).run();
}

interface Frame {
  readonly array: boolean;
  /** Whether a decision may stand in here. */
  readonly answer: boolean;
  key: string | undefined;
  action: Restriction['action'] | undefined;
  reason: string | undefined;
}

class Scan {
  private readonly text: string;
  private frames: Frame[] = [];
  private ignored = 0;
  private best: Restriction | undefined;

  constructor(text: string) {
    this.text = text;
  }

  run(): Restriction | undefined {
    let before = '';
    for (let at = 0; at < this.text.length;) {
      const character = this.text.charAt(at);
      // A brace in the first column starts a document, whatever noise was left open above it.
      if (character === '{' && (at === 0 || this.text[at - 1] === '\n')) this.closeAll();
      if (this.opensString(character, before)) {
        at = this.string(at, character);
        before = '"';
        continue;
      }
      if (character === '{' || character === '[') this.open(character === '[');
      else if (character === '}' || character === ']') this.close();
      else if (character === ',') this.forgetKey();
      if (!/\s/u.test(character)) before = character;
      at += character === '\\' && this.frames.length > 0 ? 2 : 1;
    }
    this.closeAll();
    return this.best;
  }

  /** Quotes outside of all braces are noise (`5" pipe`); a single quote counts only where JSON has a string. */
  private opensString(character: string, before: string): boolean {
    if (this.frames.length === 0) return false;
    return character === '"' || (character === "'" && '{[,:'.includes(before) && before !== '');
  }

  /** Takes the string that opens at `start`; returns where to go on. */
  private string(start: number, quote: string): number {
    let end = start + 1;
    for (; this.text.charAt(end) !== quote; end += this.text.charAt(end) === '\\' ? 2 : 1) {
      // No JSON string crosses a line: this quote was noise.
      if (end >= this.text.length || this.text.charAt(end) === '\n') return start + 1;
    }
    const frame = this.frames.at(-1);
    const isKey = /^\s*:/u.test(this.text.slice(end + 1, end + 33));
    if (frame !== undefined && this.ignored === 0) {
      if (isKey) frame.key = this.decode(start, end);
      else this.take(frame, start, end);
    }
    return end + 1;
  }

  private take(frame: Frame, start: number, end: number): void {
    if (!frame.answer || frame.array || frame.key === undefined) return;
    if (actionKeys.has(frame.key) && end - start < 64) {
      const action = words.get(this.decode(start, end));
      if (action !== undefined) frame.action = stricter(frame.action, action);
    } else if (reasonKeys.has(frame.key)) frame.reason ??= this.decode(start, end);
    frame.key = undefined;
  }

  private decode(start: number, end: number): string {
    const raw = this.text.slice(start + 1, end);
    if (!raw.includes('\\')) return raw;
    try {
      const value: unknown = JSON.parse(`"${raw}"`);
      return typeof value === 'string' ? value : raw;
    } catch {
      return raw;
    }
  }

  private open(array: boolean): void {
    if (this.frames.length >= maxFrames) {
      this.ignored += 1;
      return;
    }
    const parent = this.frames.at(-1);
    const answer = parent === undefined || (parent.answer && (parent.key === undefined || answerKeys.has(parent.key)));
    this.frames.push({ array, answer, key: undefined, action: undefined, reason: undefined });
    if (parent !== undefined) parent.key = undefined;
  }

  private close(): void {
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    const frame = this.frames.pop();
    if (frame?.action === undefined) return;
    if (this.best !== undefined && strictness[this.best.action] >= strictness[frame.action]) return;
    this.best = { action: frame.action, ...(frame.reason === undefined ? {} : { reason: frame.reason }) };
  }

  private closeAll(): void {
    this.ignored = 0;
    while (this.frames.length > 0) this.close();
  }

  private forgetKey(): void {
    const frame = this.frames.at(-1);
    if (frame !== undefined && this.ignored === 0) frame.key = undefined;
  }
}

function stricter(one: Restriction['action'] | undefined, other: Restriction['action']): Restriction['action'] {
  return one === undefined || strictness[other] > strictness[one] ? other : one;
}
