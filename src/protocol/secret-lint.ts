import type { JsonPath, Remark } from './json-document.ts';
import type { JsonValue } from './json-value.ts';
import { isJsonObject } from './json-value.ts';
import { secretKindOfKey } from './redact/key-rules.ts';
import { findCredentials } from './redact/value-patterns.ts';

/** `NAME=value`, `--name=value`, `Name: value`, `Name: Bearer value`, `--name value`, anywhere in a line. */
const assignment =
  /(?<![\w$.-])-{0,2}(?<name>[A-Za-z_][\w.-]{0,127})(?:\s{0,4}[=:]\s{0,4}|(?<=--[\w.-]{1,127})\s{1,4})["']?(?:(?:basic|bearer|token)\s{1,4})?(?<value>[^\s"'`;&|<>()]{1,512})/giu;
/** `--name` as an argument of its own, with its value in the next one. */
const flag = /^--?(?<name>[A-Za-z][\w-]*)$/u;
const literal = /^[A-Za-z0-9+/_.~=@!%^*#:-]{4,}$/u;
const location = /^(?:\.{0,2}\/|[\w-]+\/[\w./-]+$)|\.[A-Za-z]{1,5}$/u;
const noSecret: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'stdin', 'prompt', 'auto', 'required']);

/**
 * Finds the secrets that stand in a configuration file itself, where everyone who reads the repository reads them.
 * References (`$TOKEN`), places (`--token-file=/run/token`) and counts (`--max-tokens=100`) are none.
 */
export function secretRemarks(value: JsonValue): Remark[] {
  const remarks: Remark[] = [];
  visit(value, [], remarks);
  return remarks;
}

/** @param path where the value is; used and given back as it was, and copied only for a remark */
function visit(value: JsonValue, path: (string | number)[], remarks: Remark[]): void {
  if (typeof value === 'string') {
    const kind = kindOf(value, path);
    if (kind !== undefined) remarks.push(remark(kind, [...path]));
  } else if (Array.isArray(value)) {
    value.forEach((item: JsonValue, index) => {
      const before: unknown = value[index - 1];
      const kind = inCommand(path) && typeof before === 'string' ? kindAfterFlag(before, item) : undefined;
      path.push(index);
      if (kind === undefined) visit(item, path, remarks);
      else remarks.push(remark(kind, [...path]));
      path.pop();
    });
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      path.push(key);
      if (findCredentials(key).length > 0) remarks.push({ ...remark('secret', [...path]), atKey: true });
      visit(item, path, remarks);
      path.pop();
    }
  }
}

function kindOf(text: string, path: JsonPath): string | undefined {
  const shape = findCredentials(text)[0];
  if (shape !== undefined) return shape.kind;
  const key = path.at(-1);
  const named = typeof key === 'string' ? secretKindOfKey(key) : undefined;
  if (named !== undefined && text !== '' && !text.startsWith('$')) return named;
  if (!inCommand(path)) return undefined;
  for (const { groups } of text.matchAll(assignment)) {
    const kind = secretKindOfKey(groups?.['name'] ?? '');
    if (kind !== undefined && isLiteral(groups?.['value'] ?? '')) return kind;
  }
  return undefined;
}

function kindAfterFlag(before: string, value: JsonValue): string | undefined {
  const name = flag.exec(before)?.groups?.['name'];
  return name !== undefined && typeof value === 'string' && isLiteral(value) ? secretKindOfKey(name) : undefined;
}

function isLiteral(value: string): boolean {
  return literal.test(value) && !value.startsWith('-') && !location.test(value) && !noSecret.has(value.toLowerCase());
}

function inCommand(path: JsonPath): boolean {
  return path.includes('command') || path.includes('args');
}

function remark(kind: string, path: JsonPath): Remark {
  return {
    code: 'inline_secret',
    message:
      `expected no secret in the file, got what looks like one (${kind}); ` +
      'revoke it if it is real, put it into an environment variable and name that in "sandbox.env"',
    path,
  };
}
