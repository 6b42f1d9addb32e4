import { createIdleExecutor } from '../executor/index.ts';
import type { ExplainedHook, Explanation } from '../executor/index.ts';
import { cleanForPeople } from '../protocol/index.ts';
import type { Paint } from './colour.ts';
import { paintFor } from './colour.ts';
import { executorOptions } from './executor-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { DispatchFlags } from './flags.ts';
import type { Io } from './io.ts';
import { write } from './io.ts';
import { parseEvent } from './read-event.ts';
import { readEventFile } from './read-event-file.ts';
import { readStdin } from './read-stdin.ts';
import { effectiveLines, hookTitle, problemLines, untrustedLines } from './report-hooks.ts';

/** What `run` would do with an event; returns the exit code. */
export async function explain(io: Io, file: string | undefined, flags: DispatchFlags): Promise<number> {
  const text = file === undefined ? await readStdin(io) : readEventFile(io.cwd, file);
  const event = await parseEvent(io, text, flags, file);
  const executor = await createIdleExecutor(executorOptions(io, flags));
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

function explanationText(explanation: Explanation, paint: Paint): string {
  const { event, project, hooks, untrusted } = explanation;
  const lines = [paint('bold', event), `project ${project.root} ${paint('dim', `(${project.foundBy})`)}`];
  lines.push(...untrustedLines(explanation, paint));
  for (const hook of hooks) lines.push(...hookLines(hook, paint));
  if (hooks.length === 0 && untrusted.length === 0) lines.push('no hooks: the action goes on');
  return lines.join('\n');
}

function hookLines(explained: ExplainedHook, paint: Paint): string[] {
  const { runs, why, argv, scope, problem } = explained;
  const asked = problem === undefined ? paint('green', '✓') : paint('red', '✗');
  const title = `${runs ? asked : paint('dim', '-')} ${hookTitle(explained, paint)}`;
  if (!runs) return [title, `    ${cleanForPeople(why)}`];
  const details = [
    `${cleanForPeople(why)}, scope ${scope}`,
    ...(argv === undefined ? [] : [`argv: ${JSON.stringify(argv)}`]),
    ...effectiveLines(explained, paint),
    ...problemLines(explained, paint),
  ];
  return [title, ...details.map((detail) => `    ${detail}`)];
}
