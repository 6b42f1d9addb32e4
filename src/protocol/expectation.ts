import type { z } from 'zod';

/**
 * What zod would say in words of its own, in ours: "expected …". To be given wherever a schema is parsed whose errors are
 * told; a schema's own `error` comes before it.
 */
export const expectation: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${kind(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `expected ${limit(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue)}`;
    case 'too_big':
      return `expected ${limit(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue)}`;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `expected ${format(issue)}`;
    case 'unrecognized_keys':
      return `expected no key but the known ones, got ${JSON.stringify(issue.keys[0]?.slice(0, 100))}`;
    case 'invalid_key':
      return 'expected another key';
    case 'invalid_union':
      return union(issue);
    default:
      return 'expected another value';
  }
};

const kinds: Readonly<Record<string, string>> = {
  record: 'an object',
  int: 'a whole number',
  nan: 'NaN',
  null: 'null',
  undefined: 'nothing',
  never: 'nothing',
  nonoptional: 'a value',
};

function kind(type: string): string {
  return kinds[type] ?? (/^[aeiou]/u.test(type) ? `an ${type}` : `a ${type}`);
}

function limit(
  words: string,
  count: number | bigint,
  { origin, exact }: { readonly origin: string; readonly exact?: boolean },
): string {
  const units: Readonly<Record<string, string>> = {
    array: count === 1 ? ' entry' : ' entries',
    set: count === 1 ? ' entry' : ' entries',
    string: count === 1 ? ' character' : ' characters',
  };
  return `${exact === true ? 'exactly' : words} ${String(count)}${units[origin] ?? ''}`;
}

function format(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (issue.format === 'starts_with') return `text that starts with ${JSON.stringify(issue['prefix'])}`;
  if (issue.format === 'ends_with') return `text that ends with ${JSON.stringify(issue['suffix'])}`;
  if (issue.format === 'includes') return `text that includes ${JSON.stringify(issue['includes'])}`;
  return issue.pattern === undefined
    ? `text of the form ${issue.format}`
    : `text of the form ${issue.pattern.slice(0, 200)}`;
}

function union(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const options: unknown = issue['options'];
  if (Array.isArray(options)) return `expected ${options.map((option) => JSON.stringify(option)).join(' or ')}`;
  const each = (issue.errors ?? []).flatMap(([first]) => (first === undefined ? [] : [first.message]));
  const words = [...new Set(each)].map((message) => message.replace(/^expected /u, ''));
  return words.length === 0 ? 'expected another value' : `expected ${words.join(' or ')}`;
}
