import type { SecretValues } from './secret-values.ts';
import { findSecretValues } from './secret-values.ts';
import type { Span } from './value-patterns.ts';
import { findCredentials } from './value-patterns.ts';

/** The secrets in a text, in order, overlapping ones joined under the kind of the first. */
export function findSecrets(text: string, secrets: SecretValues): readonly Span[] {
  const found = [...findSecretValues(text, secrets), ...findCredentials(text)];
  if (found.length < 2) return found;
  const joined: Span[] = [];
  for (const span of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end };
  }
  return joined;
}

/** Replaces the spans of a text, each by what `marker` gives for its kind. */
export function replaceSpans(text: string, spans: readonly Span[], marker: (kind: string) => string): string {
  let result = '';
  let at = 0;
  for (const { start, end, kind } of spans) {
    result += text.slice(at, start) + marker(kind);
    at = end;
  }
  return result + text.slice(at);
}
