import { createIdleExecutor } from '../executor/index.ts';
import { parseJson, readEvent } from '../protocol/index.ts';
import type { Event, Finding } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';
import { environmentSecrets } from './environment.ts';
import { executorOptions } from './executor-options.ts';
import type { DispatchFlags } from './flags.ts';
import type { Io } from './io.ts';

/**
 * The event on stdin: a whole event, or with `--event` its bare data. Numbers keep the text in which they came.
 *
 * @throws {CliError} with every finding and its place, without the secrets of the event.
 */
export async function parseEvent(io: Io, text: string, flags: DispatchFlags, file = '<stdin>'): Promise<Event> {
  const read = readText(text, flags.event, []);
  if (read.ok) return read.event;
  // Who the secrets are is asked only when something is to be said.
  const secretValues = await secretsOf(io, flags);
  const again = readText(text, flags.event, secretValues);
  throw badEvent(again.ok ? read.findings : again.findings, file);
}

type Read = ReturnType<typeof readEvent>;

function readText(text: string, name: string | undefined, secretValues: readonly string[]): Read {
  const parsed = parseJson(text, { numbers: 'keep', secretValues });
  if (!parsed.ok) {
    const { cause, message, line, column, pointer } = parsed;
    return { ok: false, findings: [{ code: cause, message, line, column, pointer }] };
  }
  const read = readEvent(parsed.value, name === undefined ? { secretValues } : { event: name, secretValues });
  if (read.ok) return read;
  const hinted = (finding: Finding): boolean => finding.pointer === '/event' && name === undefined;
  return { ok: false, findings: read.findings.map((finding) => (hinted(finding) ? withHint(finding) : finding)) };
}

/** The values that this environment and the operator's configuration call secret. */
async function secretsOf(io: Io, flags: DispatchFlags): Promise<readonly string[]> {
  const byName = Object.values(environmentSecrets(io.env));
  try {
    const executor = await createIdleExecutor({ ...executorOptions(io, flags), packs: [] });
    const named = executor.list().settings.filter(({ key }) => key === 'secret');
    await executor.close();
    return [...byName, ...named.flatMap(({ value }) => io.env[String(value)] ?? [])];
  } catch {
    // A bad configuration is told by whoever needs it; the event is bad in any case.
    return byName;
  }
}

function withHint(finding: Finding): Finding {
  return { ...finding, message: `${finding.message}; for bare data give the name by --event` };
}

function badEvent(findings: readonly Finding[], file: string): CliError {
  const placed = findings.map((finding) => ({ ...finding, file }));
  return new CliError('data', `${file}: ${placed[0]?.message ?? 'not an event'}`, placed);
}
