import type { Node } from 'jsonc-parser';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Expectation, JsonObject, JsonValue } from '../protocol/index.ts';
import { stringifyJson } from '../protocol/index.ts';
import type { Actual } from './actual.ts';
import { reasonHolds } from './compare.ts';
import { layOutValue } from './shown-json.ts';

/** The expectation that what came fulfils. What still holds of the former one stays as it was written. */
export function expectationOf(actual: Actual, former: Expectation | undefined): JsonObject {
  const { decision, reason, feedback, data, dataChanged, hooks, failed, redacted } = actual;
  const expectation: Record<string, JsonValue> = { action: decision.action };
  const set = (key: keyof Expectation, value: JsonValue | undefined): void => {
    if (value !== undefined) expectation[key] = value;
  };
  if (former?.reason !== undefined && reasonHolds(former.reason, reason)) set('reason', former.reason);
  // The words of a failure may differ from machine to machine; its cause does not.
  else if (failed.length === 0 || former?.reason !== undefined) set('reason', reason);
  set('feedback', feedback);
  if (dataChanged) set('data', data);
  set('hooks', hooks);
  if (failed.length > 0) set('causes', Object.fromEntries(failed.map(({ hook, cause }) => [hook, cause])));
  if (former?.redacted !== undefined) {
    set(
      'redacted',
      redacted.map(({ pointer, kind }) => ({ pointer, kind })),
    );
  }
  return expectation;
}

/** The text with another `expect`, and every other byte as it was. */
export function withExpectation(text: string, expectation: JsonObject): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const root = parseTree(body);
  const last = root?.children?.at(-1);
  if (root === undefined || last === undefined) throw new Error('expected a vector, got no object with keys');
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const indent = indentAt(body, last.offset);
  const value = (): string => {
    if (indent === undefined) return stringifyJson(expectation);
    return layOutValue(expectation, { indent: indent === '' ? '  ' : indent, eol }).replaceAll(eol, eol + indent);
  };
  const node: Node | undefined = findNodeAtLocation(root, ['expect']);
  if (node !== undefined) return mark + splice(body, node.offset, node.offset + node.length, value());
  const end = last.offset + last.length;
  const gap = indent === undefined ? ' ' : eol + indent;
  return mark + splice(body, end, end, `,${gap}"expect": ${value()}`);
}

/** White space before the first thing of a line; `undefined` when something else stands before it. */
function indentAt(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return before.trim() === '' && offset > before.length ? before : undefined;
}

function splice(text: string, from: number, to: number, content: string): string {
  return text.slice(0, from) + content + text.slice(to);
}
