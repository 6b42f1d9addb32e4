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
  const findings = again.ok ? read.findings : again.findings;
  throw badEvent(flags.event === undefined ? findings.map((finding) => withHint(finding, io)) : findings, file);
}

type Read = ReturnType<typeof readEvent>;

function readText(text: string, name: string | undefined, secretValues: readonly string[]): Read {
  const parsed = parseJson(text, { numbers: 'keep', secretValues });
  if (!parsed.ok) {
    const { cause, message, line, column, pointer } = parsed;
    return { ok: false, findings: [{ code: cause, message, line, column, pointer }] };
  }
  return readEvent(parsed.value, name === undefined ? { secretValues } : { event: name, secretValues });
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

/** `--event` of `try` is a file. */
function withHint(finding: Finding, { argv }: Io): Finding {
  if (finding.pointer !== '/event') return finding;
  const hint =
    argv[0] === 'try' ? 'around bare data write {"event": NAME, "data": …}' : 'for bare data give the name by --event';
  return { ...finding, message: `${finding.message}; ${hint}` };
}

function badEvent(findings: readonly Finding[], file: string): CliError {
  const placed = findings.map((finding) => ({ ...finding, file }));
  return new CliError('data', `${file}: ${placed[0]?.message ?? 'not an event'}`, placed);
}
