import { strictness } from './merge.ts';
import type { Restriction } from './restriction-words.ts';
import type { Frame } from './restriction-frame.ts';
import { isEncoded, openFrame, passOn, takeWord } from './restriction-frame.ts';
import { bareKey, stricterAction } from './restriction-words.ts';

/** Deeper containers are counted, not looked into. */
const maxFrames = 256;
/** A word without quotes. */
const bareToken = /[^\s,{}[\]"':\\]+/y;

/** Reads text as if it were JSON, forgiving everything. Linear. */
export class RestrictionScan {
  /** The strictest that stands where a decision may. */
  best: Restriction | undefined;
  /** A restriction stands at another place, and not in the data of a `modify`. */
  elsewhere: Restriction['action'] | undefined;
  /** Quotes or braces do not add up: what stands where is not known. */
  broken = false;
  /** Strings at a decision's place that look like JSON. */
  readonly encoded: string[] = [];
  private readonly text: string;
  private frames: Frame[] = [];
  private ignored = 0;
  private readonly outside: string[] = [];
  private outsideFrom = 0;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    let before = '';
    for (let at = 0; at < this.text.length;) {
      const character = this.text.charAt(at);
      // A brace in the first column starts a document, whatever noise was left open above it.
      if (character === '{' && (at === 0 || this.text[at - 1] === '\n')) this.closeAll(at);
      if (this.opensString(character, before)) {
        at = this.string(at, character);
        before = '"';
        continue;
      }
      if (character === '{' || character === '[') this.open(character === '[', at);
      else if (character === '}' || character === ']') this.closeAt(at);
      else if (character === ',') this.forgetKey();
      else if (character === ':') before = ':';
      else if (this.frames.length > 0 && !/[\s\\"']/u.test(character)) {
        bareToken.lastIndex = at;
        const end = at + (bareToken.exec(this.text)?.[0].length ?? 1);
        this.value(this.text.slice(at, end), end, false);
        at = end;
        before = 'a';
        continue;
      }
      if (!/\s/u.test(character)) before = character;
      at += character === '\\' && this.frames.length > 0 ? 2 : 1;
    }
    this.closeAll(this.text.length);
    this.outside.push(this.text.slice(this.outsideFrom));
  }

  /** What stands outside of all braces. */
  get noise(): string {
    return this.outside.join('\n');
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
      if (end >= this.text.length || this.text.charAt(end) === '\n') {
        this.broken = true;
        return start + 1;
      }
    }
    if (!/^\s*(?:[:,}\]]|$)/u.test(this.text.slice(end + 1, end + 33))) this.broken = true;
    this.value(decode(this.text.slice(start + 1, end)), end + 1, true);
    return end + 1;
  }

  /** Takes a key or a value that ends before `end`. */
  private value(text: string, end: number, quoted: boolean): void {
    const frame = this.frames.at(-1);
    if (frame === undefined || this.ignored > 0) return;
    if (/^\s*:/u.test(this.text.slice(end, end + 33))) frame.key = bareKey(text);
    else if (isEncoded(frame, text)) this.encoded.push(text);
    else takeWord(frame, text, quoted);
  }

  private open(array: boolean, at: number): void {
    if (this.frames.length >= maxFrames) {
      this.ignored += 1;
      this.broken = true;
      return;
    }
    const parent = this.frames.at(-1);
    if (parent === undefined) this.outside.push(this.text.slice(this.outsideFrom, at));
    // An empty list of denials denies nothing.
    const empty = /^\[\s*\]/u.test(this.text.slice(at, at + 32));
    this.frames.push(openFrame(parent, { array, empty }));
  }

  private closeAt(at: number): void {
    const frame = this.frames.at(-1);
    if (this.ignored === 0 && frame?.array !== (this.text[at] === ']')) this.broken = true;
    this.close();
    if (this.frames.length === 0) this.outsideFrom = at + 1;
  }

  private close(): void {
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    const frame = this.frames.pop();
    if (frame === undefined) return;
    this.elsewhere = stricterAction(this.elsewhere, passOn(frame, this.frames.at(-1)));
    if (frame.action === undefined) return;
    if (this.best !== undefined && strictness(this.best.action) >= strictness(frame.action)) return;
    this.best = { action: frame.action, ...(frame.reason === undefined ? {} : { reason: frame.reason }) };
  }

  private closeAll(at: number): void {
    if (this.frames.length === 0) return;
    this.broken = true;
    this.outsideFrom = at;
    this.ignored = 0;
    while (this.frames.length > 0) this.close();
  }

  private forgetKey(): void {
    const frame = this.frames.at(-1);
    if (frame !== undefined && this.ignored === 0) frame.key = undefined;
  }
}

function decode(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    const value: unknown = JSON.parse(`"${raw}"`);
    return typeof value === 'string' ? value : raw;
  } catch {
    return raw;
  }
}
