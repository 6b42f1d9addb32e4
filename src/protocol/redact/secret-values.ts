import type { Span } from './value-patterns.ts';

/** Values that the host named as secret, ready to be looked for. */
export interface SecretValues {
  /** Found anywhere in a string, longest first. */
  readonly anywhere: readonly string[];
  /** The values themselves, for a comparison with a whole string. */
  readonly whole: ReadonlySet<string>;
  /** Those of them that a number may be. */
  readonly numbers: ReadonlySet<string>;
}

/** Shorter values would match inside every other word; they count only as a whole string. */
const minAnywhere = 4;

/** Takes each value also as it looks inside JSON text and in a URL. */
export function prepareSecretValues(values: readonly string[] = []): SecretValues {
  const whole = new Set(values.filter((value) => value !== ''));
  const anywhere = new Set<string>();
  for (const value of whole) {
    if (value.length < minAnywhere) continue;
    anywhere.add(value);
    anywhere.add(JSON.stringify(value).slice(1, -1));
    anywhere.add(encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd')));
  }
  return {
    anywhere: [...anywhere].toSorted((one, other) => other.length - one.length),
    whole,
    numbers: new Set([...whole].filter((value) => /^-?\d/.test(value))),
  };
}

export function findSecretValues(text: string, secrets: SecretValues): Span[] {
  if (secrets.whole.has(text)) return [{ start: 0, end: text.length, kind: 'secret-value' }];
  const spans: Span[] = [];
  for (const value of secrets.anywhere) {
    for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length)) {
      spans.push({ start, end: start + value.length, kind: 'secret-value' });
    }
  }
  return spans;
}
