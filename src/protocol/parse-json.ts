import { JsonParser, Stray } from './json-parser.ts';
import type { JsonValue } from './json-value.ts';

export interface ParseJsonOptions {
  /**
   * `keep` (events): a number whose text a double does not reproduce becomes a `JsonNumber`; lone surrogates in `\u`
   * escapes are kept. `reject-lossy` (answers, packs): a number whose value a double cannot hold, and a lone
   * surrogate, are `invalid_json`, since what is acted on would not be what was written.
   */
  readonly numbers: 'keep' | 'reject-lossy';
  /** Deepest nesting of arrays and objects; default 64, at most 512. */
  readonly maxDepth?: number;
  /** Keeps the keys `__proto__`, `constructor` and `prototype`, as own properties; by default they are refused. */
  readonly allowPrototypeKeys?: boolean;
  /**
   * Given (empty, too) when the text may hold secrets, as an event does: keys in messages and the pointer are redacted, of
   * these exact values as well, and of what is no JSON only the first character is told. Nobody can find secrets in a text
   * that cannot be read.
   */
  readonly secretValues?: readonly string[];
}

export interface ParseJsonFailure {
  readonly ok: false;
  readonly cause: 'invalid_json' | 'duplicate_key' | 'multiple_documents';
  readonly message: string;
  /** UTF-16 offset into the text; line and column are 1-based. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** RFC 6901 pointer to the value that was being read. */
  readonly pointer: string;
}

export type ParseJsonResult = { readonly ok: true; readonly value: JsonValue } | ParseJsonFailure;

/**
 * Reads exactly one JSON document, strictly: no duplicate keys, bounded depth, nothing after it but white space.
 * Never throws; linear in the length of the text. What it accepts, `JSON.parse` accepts with the same value
 * (but for the text of numbers under `keep`).
 *
 * @example
 * parseJson('{"a":1,"a":2}', { numbers: 'keep' }); // { ok: false, cause: 'duplicate_key', pointer: '/a', … }
 */
export function parseJson(text: string, options: ParseJsonOptions): ParseJsonResult {
  const parser = new JsonParser(text, options);
  try {
    return { ok: true, value: parser.document() };
  } catch (error) {
    if (error instanceof Stray) return locate(text, error);
    throw error;
  }
}

function locate(text: string, { cause, message, offset, pointer }: Stray): ParseJsonFailure {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  const column = offset - lineStart + 1;
  return { ok: false, cause, message: `${message} (line ${line}, column ${column})`, offset, line, column, pointer };
}
