import type { z } from 'zod';
import type { Finding, JsonValue } from '../protocol/index.ts';
import { expectation, HookcellError, pointerOf, remarksOfResult } from '../protocol/index.ts';

/** Options whose text is not repeated in a message. */
const unshown: ReadonlySet<string> = new Set(['secrets', 'env', 'hostEnvironment', 'installationKey']);
/** Handed over as they are: objects of the caller's own. */
const opaque: ReadonlySet<string> = new Set([
  'packs',
  'events',
  'logger',
  'signal',
  'hostEnvironment',
  'installationKey',
]);
const maxDepth = 4;

/**
 * Reads options strictly. A value of `undefined` is one that was not given, at every level: `{ env: { CI: process.env.CI } }`.
 *
 * @param what how messages call them: `options`
 * @throws {HookcellError} `invalid_options`, with every finding.
 */
export function readOptions<Value>(schema: z.ZodType<Value>, options: unknown, what: string): Value {
  const given = withoutUndefined(options, 0);
  const parsed = schema.safeParse(given, { error: expectation });
  if (parsed.success) return parsed.data;
  const findings = remarksOfResult(parsed, schema, described(given, 0)).map(({ code, message, path }): Finding => ({
    code,
    message,
    file: what,
    pointer: pointerOf(path),
  }));
  throw invalidOptions(findings, what);
}

export function invalidOptions(findings: readonly Finding[], what: string): HookcellError {
  const [first] = findings;
  const place = first?.pointer === undefined || first.pointer === '' ? '' : ` at ${first.pointer}`;
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return new HookcellError('invalid_options', `invalid ${what}: ${first?.message ?? ''}${place}${more}`, { findings });
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function withoutUndefined(value: unknown, depth: number): unknown {
  if (!isPlain(value) || depth > maxDepth) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, opaque.has(key) ? item : withoutUndefined(item, depth + 1)]),
  );
}

/** As JSON, so far as a message speaks of it. */
function described(value: unknown, depth: number, hidden = false): JsonValue {
  if (typeof value === 'string') return hidden ? 'a text that is not shown' : value;
  if (typeof value === 'number') return hidden ? 0 : value;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (depth > maxDepth) return {};
  if (Array.isArray(value)) return value.map((item: unknown) => described(item, depth + 1, hidden));
  if (!isPlain(value)) return {};
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => [
    key,
    described(item, depth + 1, hidden || unshown.has(key)),
  ]);
  return Object.fromEntries(entries);
}
