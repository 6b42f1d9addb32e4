import { parseJson, readEvent } from '../protocol/index.ts';
import type { Event, Finding } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';

/**
 * The event on stdin: a whole event, or with `--event` its bare data. Numbers keep the text in which they came.
 *
 * @throws {CliError} with every finding and its place.
 */
export function parseEvent(text: string, name: string | undefined, file = '<stdin>'): Event {
  const parsed = parseJson(text, { numbers: 'keep' });
  if (!parsed.ok) {
    const { cause, message, line, column, pointer } = parsed;
    throw badEvent([{ code: cause, message, line, column, pointer }], file);
  }
  const read = readEvent(parsed.value, name === undefined ? {} : { event: name });
  if (read.ok) return read.event;
  const hinted = (finding: Finding): boolean => finding.pointer === '/event' && name === undefined;
  const findings = read.findings.map((finding) => (hinted(finding) ? withHint(finding) : finding));
  throw badEvent(findings, file);
}

function withHint(finding: Finding): Finding {
  return { ...finding, message: `${finding.message}; for bare data give the name by --event` };
}

function badEvent(findings: readonly Finding[], file: string): CliError {
  const placed = findings.map((finding) => ({ ...finding, file }));
  return new CliError('data', `${file}: ${placed[0]?.message ?? 'not an event'}`, placed);
}
