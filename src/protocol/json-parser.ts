import type { JsonObjectDraft } from './json-object.ts';
import { setOwn } from './json-object.ts';
import { survivesDouble } from './json-number-text.ts';
import { pointerOf } from './json-pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts';
import { JsonNumber } from './json-value.ts';
import { maxJsonDepth } from './limits.ts';
import type { ParseJsonFailure, ParseJsonOptions } from './parse-json.ts';
import { redactText } from './redact/redact-text.ts';
import { showText } from './shown-text.ts';

const maxStackDepth = 512;
const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** How the parser leaves its recursion; `parseJson` turns it into its result. */
export class Stray {
  readonly cause: ParseJsonFailure['cause'];
  readonly message: string;
  readonly offset: number;
  readonly pointer: string;

  constructor(cause: ParseJsonFailure['cause'], message: string, offset: number, pointer: string) {
    this.cause = cause;
    this.message = message;
    this.offset = offset;
    this.pointer = pointer;
  }
}

/** One pass of recursive descent over one text; the depth bound keeps the stack small. */
export class JsonParser {
  private readonly text: string;
  private readonly strict: boolean;
  private readonly maxDepth: number;
  private readonly allowPrototypeKeys: boolean;
  private readonly secretValues: readonly string[] | undefined;
  /** Keys from the root to the container that is being read; only the first `depth` entries count. */
  private readonly path: (string | number)[] = [];
  private depth = 0;
  private at = 0;

  constructor(text: string, options: ParseJsonOptions) {
    this.text = text;
    this.strict = options.numbers === 'reject-lossy';
    this.maxDepth = Math.min(options.maxDepth ?? maxJsonDepth, maxStackDepth);
    this.allowPrototypeKeys = options.allowPrototypeKeys ?? false;
    this.secretValues = options.secretValues;
  }

  document(): JsonValue {
    this.skipSpace();
    const value = this.value();
    const end = this.at;
    this.skipSpace();
    if (this.at < this.text.length) this.trailing(end);
    return value;
  }

  private trailing(end: number): never {
    const start = this.at;
    const rest = this.excerpt(start);
    // `01` is no two documents: what follows directly must open with a bracket.
    let another = start > end || '{['.includes(this.text.charAt(start));
    try {
      this.value();
    } catch (error) {
      another &&= error instanceof Stray && error.cause === 'duplicate_key';
    }
    throw another
      ? new Stray('multiple_documents', `expected one JSON document, got another one: ${rest}`, start, '')
      : new Stray('invalid_json', `expected nothing after the JSON document, got ${rest}`, start, '');
  }

  private value(): JsonValue {
    const code = this.text.charCodeAt(this.at);
    if (code === 0x22) return this.string();
    if (code === 0x7b) return this.object();
    if (code === 0x5b) return this.array();
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number();
    if (code === 0x74 && this.takesWord('true')) return true;
    if (code === 0x66 && this.takesWord('false')) return false;
    if (code === 0x6e && this.takesWord('null')) return null;
    return this.unexpected('a JSON value');
  }

  private object(): JsonObject {
    this.enter();
    const result: JsonObjectDraft = {};
    if (!this.takes(0x7d)) {
      do {
        this.skipSpace();
        const start = this.at;
        if (this.text.charCodeAt(start) !== 0x22) this.unexpected('a key in double quotes');
        const key = this.string();
        this.path[this.depth - 1] = key;
        if (!this.allowPrototypeKeys && prototypeKeys.has(key)) {
          this.fail('invalid_json', `the key ${this.shownKey(key)} is not allowed; rename it`, start);
        }
        if (Object.hasOwn(result, key)) {
          this.fail('duplicate_key', `the key ${this.shownKey(key)} occurs twice in one object`, start);
        }
        if (!this.takes(0x3a)) this.unexpected('":" after a key');
        this.skipSpace();
        setOwn(result, key, this.value());
      } while (this.takes(0x2c));
      if (!this.takes(0x7d)) this.unexpected('"," or "}"');
    }
    this.depth -= 1;
    return result;
  }

  private array(): JsonArray {
    this.enter();
    const result: JsonValue[] = [];
    if (!this.takes(0x5d)) {
      do {
        this.path[this.depth - 1] = result.length;
        this.skipSpace();
        result.push(this.value());
      } while (this.takes(0x2c));
      if (!this.takes(0x5d)) this.unexpected('"," or "]"');
    }
    this.depth -= 1;
    return result;
  }

  private string(): string {
    const { text } = this;
    const start = this.at;
    let at = start + 1;
    let escaped = false;
    let surrogates = false;
    for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(at)) {
      if (code === 0x5c) {
        escaped = true;
        at += 1;
      } else if (!(code >= 0x20)) {
        this.at = at;
        this.unexpected('the end of a string (control characters must be escaped)');
      } else if (code >= 0xd800 && code <= 0xdfff) surrogates = true;
      at += 1;
    }
    this.at = at + 1;
    const value = escaped ? this.unescape(start) : text.slice(start + 1, at);
    if (this.strict && (escaped || surrogates) && /\p{Surrogate}/u.test(value)) {
      this.fail('invalid_json', 'a string holds half of a surrogate pair, which is no character', start);
    }
    return value;
  }

  private unescape(start: number): string {
    const raw = this.text.slice(start, this.at);
    try {
      // The token is one whole string by now; the engine's own unescaping is the fastest there is.
      const value: unknown = JSON.parse(raw);
      if (typeof value === 'string') return value;
    } catch {
      for (const { 0: escape, index } of raw.matchAll(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?|[\0-\u001f]/gu)) {
        if (escape.length === 1)
          this.fail('invalid_json', `bad escape ${this.badEscape(raw.slice(index, index + 6))}`, start + index);
      }
    }
    return this.fail('invalid_json', 'a string that is no JSON', start);
  }

  private number(): JsonValue {
    const start = this.at;
    if (this.text.charCodeAt(this.at) === 0x2d) this.at += 1;
    if (this.text.charCodeAt(this.at) === 0x30) this.at += 1;
    else {
      this.digits();
      // An integer of up to 15 digits is exact; most numbers are such.
      if (this.at - start <= 15 && !this.goesOn()) return Number(this.text.slice(start, this.at));
    }
    if (this.text.charCodeAt(this.at) === 0x2e) {
      this.at += 1;
      this.digits();
    }
    if ((this.text.charCodeAt(this.at) | 0x20) === 0x65) {
      this.at += 1;
      const sign = this.text.charCodeAt(this.at);
      if (sign === 0x2b || sign === 0x2d) this.at += 1;
      this.digits();
    }
    const written = this.text.slice(start, this.at);
    const value = Number(written);
    if (this.strict) {
      if (!survivesDouble(written)) {
        this.fail('invalid_json', `the number ${showText(written)} does not fit a double; send it as a string`, start);
      }
      return value;
    }
    return String(value) === written ? value : new JsonNumber(written);
  }

  /** Whether a fraction or an exponent follows. */
  private goesOn(): boolean {
    const code = this.text.charCodeAt(this.at);
    return code === 0x2e || (code | 0x20) === 0x65;
  }

  private digits(): void {
    const start = this.at;
    for (let code = this.text.charCodeAt(this.at); code >= 0x30 && code <= 0x39; code = this.text.charCodeAt(this.at)) {
      this.at += 1;
    }
    if (this.at === start) this.unexpected('a digit');
  }

  private enter(): void {
    if (this.depth >= this.maxDepth) {
      this.fail('invalid_json', `nested deeper than ${this.maxDepth} levels`, this.at);
    }
    this.depth += 1;
    this.path[this.depth - 1] = '';
    this.at += 1;
  }

  /** Skips white space and takes one character if it is there. */
  private takes(code: number): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  private takesWord(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private skipSpace(): void {
    for (let code = this.text.charCodeAt(this.at); ; code = this.text.charCodeAt(this.at)) {
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private unexpected(expected: string): never {
    const got = this.at >= this.text.length ? 'the end of the text' : this.excerpt(this.at);
    return this.fail('invalid_json', `expected ${expected}, got ${got}`, this.at);
  }

  /** What stands at a place, short: of a text that may hold secrets one character, which is none. */
  private excerpt(start: number): string {
    const length = this.secretValues === undefined ? 61 : 1;
    return showText(this.text.slice(start, start + length));
  }

  private badEscape(escape: string): string {
    return showText(this.secretValues === undefined ? escape : escape.slice(0, escape.startsWith('\\') ? 2 : 1));
  }

  private shownKey(key: string): string {
    return showText(this.redacted(key));
  }

  private redacted(key: string): string {
    return this.secretValues === undefined ? key : redactText(key, this.secretValues);
  }

  private fail(cause: ParseJsonFailure['cause'], message: string, offset: number): never {
    const path = this.path.slice(0, this.depth).map((step) => (typeof step === 'string' ? this.redacted(step) : step));
    throw new Stray(cause, message, offset, pointerOf(path));
  }
}
