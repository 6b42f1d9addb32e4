import { parseJson, readEvent } from '../protocol/index.ts';
import type { Event, Finding } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';

const stdinName = '<stdin>';

/**
 * The event on stdin: a whole event, or with `--event` its bare data. Numbers keep the text in which they came.
 *
 * @throws {CliError} with every finding and its place.
 */
export function parseEvent(text: string, name: string | undefined): Event {
  const parsed = parseJson(text, { numbers: 'keep' });
  if (!parsed.ok) {
    const { cause, message, line, column, pointer } = parsed;
    throw badEvent([{ code: cause, message, line, column, pointer }]);
  }
  const read = readEvent(parsed.value, name === undefined ? {} : { event: name });
  if (read.ok) return read.event;
  throw badEvent(
    read.findings.map((finding) => (finding.pointer === '/event' && name === undefined ? withHint(finding) : finding)),
  );
}

function withHint(finding: Finding): Finding {
  return { ...finding, message: `${finding.message}; for bare data give the name by --event` };
}

function badEvent(findings: readonly Finding[]): CliError {
  const placed = findings.map((finding) => ({ ...finding, file: stdinName }));
  return new CliError('data', `${stdinName}: ${placed[0]?.message ?? 'not an event'}`, placed);
}
