import { prepareSecretValues } from './secret-values.ts';
import { findSecrets, replaceSpans } from './spans.ts';

/**
 * Replaces the secrets in a text that is said or logged (a reason, a line of stderr) by `[REDACTED:<kind>]`.
 * These markers carry no nonce: nothing is ever put back for them.
 */
export function redactText(text: string, secretValues: readonly string[] = []): string {
  const spans = findSecrets(text, prepareSecretValues(secretValues));
  return spans.length === 0 ? text : replaceSpans(text, spans, (kind) => `[REDACTED:${kind}]`);
}
