import { Configuration } from './configuration.ts';
import type { Finding } from './errors.ts';
import type { JsonPath, Position } from './json-document.ts';
import { readJsonDocument } from './json-document.ts';
import { remarksOf } from './schema-remarks.ts';

export type ReadConfigurationResult =
  | {
      readonly ok: true;
      readonly configuration: Configuration;
      /** Place of the value at a path, so that a grant can be traced to its line. */
      readonly positionOf: (path: JsonPath) => Position;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads the operator's configuration strictly: every finding at once, in the order of the text. Never throws.
 *
 * @param text the file's content
 * @param file its name, for the findings
 */
export function readConfiguration(text: string, file: string): ReadConfigurationResult {
  const read = readJsonDocument(text, file);
  if (!read.ok) return read;
  const { document } = read;
  const remarks = remarksOf(Configuration, document.value);
  if (remarks.length > 0) return { ok: false, findings: document.findingsOf(remarks) };
  return {
    ok: true,
    configuration: Configuration.parse(document.value),
    positionOf: (path) => document.positionOf(path),
  };
}
