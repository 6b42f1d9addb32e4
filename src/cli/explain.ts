import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createExecutor } from '../executor/index.ts';
import type { ExplainedHook, Explanation } from '../executor/index.ts';
import { cleanForPeople } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';
import type { Paint } from './colour.ts';
import { paintFor } from './colour.ts';
import { executorOptions } from './executor-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { DispatchFlags } from './flags.ts';
import type { Io } from './io.ts';
import { write } from './io.ts';
import { parseEvent } from './read-event.ts';
import { decodeInput, readStdin } from './read-stdin.ts';

/** What `run` would do with an event; returns the exit code. */
export async function explain(io: Io, file: string | undefined, flags: DispatchFlags): Promise<number> {
  const text = file === undefined ? await readStdin(io) : readEventFile(io.cwd, file);
  const event = parseEvent(text, flags.event, file);
  const executor = await createExecutor(executorOptions(io, flags));
  try {
    const explanation = executor.explain(event);
    const output =
      flags.json === true
        ? JSON.stringify({ version: 1, ...explanation })
        : explanationText(explanation, paintFor('stdout', io));
    await write(io.stdout, `${output}\n`);
    const stuck =
      explanation.untrusted.length > 0 || explanation.hooks.some(({ runs, problem }) => runs && problem !== undefined);
    return stuck ? exitCodes.findings : exitCodes.ok;
  } finally {
    await executor.close();
  }
}

function readEventFile(cwd: string, file: string): string {
  try {
    return decodeInput(readFileSync(path.resolve(cwd, file)), file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new CliError('data', `${file}: ${message}`, [{ code: 'unreadable', message, file }]);
  }
}

function explanationText({ event, hooks, untrusted }: Explanation, paint: Paint): string {
  const lines = [paint('bold', event)];
  for (const file of untrusted) lines.push(`${paint('red', '✗')} ${file}: nobody accepted it; name it by --packs`);
  for (const hook of hooks) lines.push(...hookLines(hook, paint));
  if (hooks.length === 0 && untrusted.length === 0) lines.push('no hooks: the action goes on');
  return lines.join('\n');
}

function hookLines(
  { hook, mode, priority, onFailure, timeoutMs, runs, why, argv, problem }: ExplainedHook,
  paint: Paint,
): string[] {
  const mark = runs ? paint('green', '✓') : paint('dim', '-');
  const title = `${mark} ${hook.pack}/${hook.id} ${paint('dim', `${mode}, priority ${priority}, ${timeoutMs} ms, onFailure ${onFailure}`)}`;
  const details = [cleanForPeople(why), ...(runs && argv !== undefined ? [`argv: ${JSON.stringify(argv)}`] : [])];
  if (problem !== undefined) details.push(paint('red', cleanForPeople(`${problem.cause}: ${problem.message}`)));
  return [title, ...details.map((detail) => `    ${detail}`)];
}
