import type { Node } from 'jsonc-parser';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Finding } from './errors.ts';
import { pointerOf } from './json-pointer.ts';
import type { JsonValue } from './json-value.ts';
import type { ParseJsonOptions } from './parse-json.ts';
import { parseJson } from './parse-json.ts';

/** Longest pack or agent file, in UTF-16 code units. */
export const maxConfigurationCharacters: number = 1024 * 1024;

/** Findings of one file that are told; a file made to have a million must not cost a million look-ups. */
const maxFindings = 100;

export type JsonPath = readonly (string | number)[];

/** A finding before it has a place in a file: `path` leads to the value, or with `atKey` to the key itself. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly path: JsonPath;
  readonly atKey?: boolean;
}

/** 1-based place in a text. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A configuration file that was read: its value, and the place of everything in it. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** Place of the value at a path; of its nearest parent that exists, when it is missing. */
  readonly positionOf: (path: JsonPath, atKey?: boolean) => Position;
  /** Remarks as findings of this file, in the order of the text; the first hundred of them. */
  findingsOf(remarks: readonly Remark[]): Finding[];
}

export type JsonDocumentResult =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads plain strict JSON: no comments, no trailing commas, no duplicate or prototype keys, bounded size and depth.
 * Numbers that a double cannot hold are refused, unless the document carries an event: `numbers: "keep"`.
 */
export function readJsonDocument(
  text: string,
  file: string,
  { numbers = 'reject-lossy' }: Partial<ParseJsonOptions> = {},
): JsonDocumentResult {
  if (text.length > maxConfigurationCharacters) {
    const message = `expected at most ${maxConfigurationCharacters} characters, got ${text.length}`;
    return { ok: false, findings: [{ code: 'too_large', message, file }] };
  }
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const parsed = parseJson(clean, { numbers });
  if (!parsed.ok) {
    const { cause, line, column, pointer } = parsed;
    const comment = /^\s*(?:\/\/|\/\*)/u.test(clean.slice(parsed.offset, parsed.offset + 64));
    const message = comment ? `${parsed.message}; comments are not allowed, use "description"` : parsed.message;
    return { ok: false, findings: [{ code: cause, message, file, pointer, line, column }] };
  }
  return { ok: true, document: documentOf(clean, file, parsed.value) };
}

function documentOf(text: string, file: string, value: JsonValue): JsonDocument {
  // Places are asked for only when there is something to say.
  let map: { readonly root: Node | undefined; readonly lines: readonly number[] } | undefined;
  const places = () => (map ??= { root: parseTree(text), lines: lineStarts(text) });
  const offsetOf = (path: JsonPath, atKey = false): number => {
    const { root } = places();
    for (let length = path.length; length > 0; length -= 1) {
      const node = root && findNodeAtLocation(root, path.slice(0, length));
      if (node !== undefined) return atKey && length === path.length ? keyOf(node).offset : node.offset;
    }
    return root?.offset ?? 0;
  };
  const positionOf = (path: JsonPath, atKey?: boolean): Position => positionAt(places().lines, offsetOf(path, atKey));
  return {
    value,
    positionOf,
    findingsOf(remarks) {
      const located = remarks
        .slice(0, maxFindings)
        .map(({ code, message, path, atKey }) => ({
          offset: offsetOf(path, atKey),
          finding: { code, message, file, pointer: pointerOf(path), ...positionOf(path, atKey) },
        }))
        .toSorted((a, b) => a.offset - b.offset)
        .map(({ finding }): Finding => finding);
      const more = remarks.length - located.length;
      if (more > 0) located.push({ code: 'more_findings', message: `and ${more} more; mend these first`, file });
      return located;
    },
  };
}

function keyOf(node: Node): Node {
  return (node.parent?.type === 'property' ? node.parent.children?.[0] : undefined) ?? node;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
