import { prepareSecretValues } from './secret-values.ts';
import { findSecrets, replaceSpans } from './spans.ts';

/** Room for a credential that is known by its shape: a private key of 4096 bits in PEM has some 3 300 characters. */
const minMargin = 8192;

/**
 * How many bytes of a text's beginning may be the rest of a secret that was cut off before it. Whoever cuts text keeps so
 * many more, redacts, and then cuts again with {@link redactEnd}.
 */
export function redactionMargin(secretValues: readonly string[]): number {
  const { anywhere } = prepareSecretValues(secretValues);
  return anywhere.reduce((longest, value) => Math.max(longest, value.length * 3), minMargin);
}

/**
 * Redacts a text and keeps what stands from `from` (UTF-16 code units) to its end. A secret that begins before `from` is
 * recognised whole and replaced whole.
 */
export function redactEnd(text: string, from: number, secretValues: readonly string[] = []): string {
  const spans = findSecrets(text, prepareSecretValues(secretValues)).filter(({ end }) => end > from);
  const start = Math.min(from, spans[0]?.start ?? from);
  const moved = spans.map((span) => ({ ...span, start: span.start - start, end: span.end - start }));
  return replaceSpans(text.slice(start), moved, (kind) => `[REDACTED:${kind}]`);
}
