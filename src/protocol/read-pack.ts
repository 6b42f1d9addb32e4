import type { Finding } from './errors.ts';
import type { EventDefinition } from './events.ts';
import { expectation } from './expectation.ts';
import { readJsonDocument } from './json-document.ts';
import { Pack } from './pack.ts';
import { packErrors } from './pack-errors.ts';
import { packWarnings } from './pack-warnings.ts';
import type { ResolvedPack } from './resolve-pack.ts';
import { resolvePack } from './resolve-pack.ts';

export interface ReadPackOptions {
  /** Events that the host registered with `defineEvent`, by name. */
  readonly knownEvents?: ReadonlyMap<string, EventDefinition>;
}

export type ReadPackResult =
  | { readonly ok: true; readonly pack: ResolvedPack; readonly warnings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads a pack file strictly: every finding at once, each with code, place and remedy, in the order of the text.
 * Pure: programs and files that the pack names are not looked at. Never throws.
 *
 * @param text the file's content
 * @param file its name, for the findings
 * @example
 * const result = readPack(text, '.hookcell/hooks/quality.json');
 * if (!result.ok) for (const { line, column, message } of result.findings) report(line, column, message);
 */
export function readPack(text: string, file: string, options: ReadPackOptions = {}): ReadPackResult {
  const read = readJsonDocument(text, file);
  if (!read.ok) return read;
  const { document } = read;
  const parsed = Pack.safeParse(document.value, { error: expectation });
  const errors = packErrors(document.value, parsed, options.knownEvents);
  if (errors.length > 0 || !parsed.success) return { ok: false, findings: document.findingsOf(errors) };
  const pack = parsed.data;
  return {
    ok: true,
    pack: resolvePack(pack, file, document, options.knownEvents),
    // Put into words only for those who read them: whoever runs packs does not.
    get warnings() {
      return document.findingsOf(packWarnings(pack, options.knownEvents));
    },
  };
}
