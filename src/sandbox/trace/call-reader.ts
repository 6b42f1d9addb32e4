import { splitArguments } from './arguments.ts';

/** One finished system call of a traced process. */
export interface Call {
  readonly pid: number;
  readonly name: string;
  /** As they are printed. */
  readonly args: readonly string[];
  /** e.g. `ENOENT`; absent when the call succeeded. */
  readonly error?: string;
}

export interface CallListener {
  /** A process began a call; its end may come after lines of others. */
  entered(pid: number, name: string): void;
  call(call: Call): void;
  signal(pid: number, name: string): void;
}

/** Paths are at most 4 KiB, escaped fourfold; argument lists are cut by the tracer. */
const maxLineLength = 65_536;
/** More than this is read on, so that the program is not held up, and not looked at. */
const maxLength = 64 * 1024 * 1024;
const maxUnfinished = 4_096;

/** Reads what strace prints: bounded, linear, and a strange line is passed over. Strings in it are the traced program's. */
export class CallReader {
  readonly #listener: CallListener;
  readonly #unfinished = new Map<number, string>();
  #rest = '';
  #skipping = false;
  #length = 0;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  /** True when there was more than is looked at. */
  get incomplete(): boolean {
    return this.#length > maxLength;
  }

  push(chunk: string): void {
    this.#length += chunk.length;
    if (this.incomplete) return;
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) this.#end(line);
    if (this.#rest.length + last.length > maxLineLength) this.#skipping = true;
    this.#rest = this.#skipping ? '' : this.#rest + last;
  }

  #end(part: string): void {
    if (!this.#skipping && this.#rest.length + part.length <= maxLineLength) this.#line(this.#rest + part);
    this.#rest = '';
    this.#skipping = false;
  }

  #line(line: string): void {
    const match = /^(\d+)\s+/u.exec(line);
    if (match === null) return;
    const pid = Number(match[1]);
    const text = line.slice(match[0].length);
    if (text.startsWith('--- ')) {
      const signal = /^--- (SIG\w+)/u.exec(text)?.[1];
      if (signal !== undefined) this.#listener.signal(pid, signal);
      return;
    }
    if (text.startsWith('<... ')) {
      const begun = this.#unfinished.get(pid);
      this.#unfinished.delete(pid);
      const rest = text.indexOf(' resumed>');
      if (begun !== undefined && rest !== -1) this.#call(pid, begun + text.slice(rest + ' resumed>'.length));
      return;
    }
    const name = /^(\w+)\(/u.exec(text)?.[1];
    if (name === undefined) return;
    this.#listener.entered(pid, name);
    const unfinished = ' <unfinished ...>';
    if (!text.endsWith(unfinished)) this.#call(pid, text);
    else if (this.#unfinished.size < maxUnfinished) this.#unfinished.set(pid, text.slice(0, -unfinished.length));
  }

  #call(pid: number, text: string): void {
    const open = text.indexOf('(');
    const split = splitArguments(text, open + 1);
    if (split === undefined) return;
    const result = /^\s*= (\S+)(?: (E[A-Z0-9]+) )?/u.exec(text.slice(split.end));
    if (result === null || result[1] === '?') return;
    const error = result[1] === '-1' ? result[2] : undefined;
    if (result[1] === '-1' && error === undefined) return;
    const call = { pid, name: text.slice(0, open), args: split.args };
    this.#listener.call(error === undefined ? call : { ...call, error });
  }
}
