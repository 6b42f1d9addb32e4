import { setTimeout as sleep } from 'node:timers/promises';
import { createExecutor, originText, stringifyVerdict } from '../executor/index.ts';
import type { Executor, Verdict } from '../executor/index.ts';
import { cleanForPeople, jsonFromUnknown, stringifyJson } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';
import { paintFor } from './colour.ts';
import { depthOf, hooksAreOff } from './environment.ts';
import { execPack } from './exec-pack.ts';
import type { ExecFlags } from './exec-pack.ts';
import { executorOptions } from './executor-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { goesNowhere, tell, write } from './io.ts';
import { parseEvent } from './read-event.ts';
import { readStdin } from './read-stdin.ts';
import { verdictExitCode, verdictText } from './report-verdict.ts';

const closeDeadlineMs = 5_000;
/** How long hooks that only watch may take after an answer that the host must not miss. */
const watchMs = 2_000;

export interface DispatchRequest {
  readonly io: Io;
  readonly flags: ExecFlags;
  /** `exec`: the program and its arguments. */
  readonly argv?: readonly string[];
}

/** The event on stdin, its verdict on stdout; returns the exit code. */
export async function dispatch({ io, flags, argv }: DispatchRequest): Promise<number> {
  const depth = depthOf(io.env);
  const event = await parseEvent(io, await readStdin(io), flags);
  const pack = argv === undefined ? undefined : execPack(event.event, argv, flags);
  const executor = await createExecutor(executorOptions(io, flags, pack));
  const ending = new AbortController();
  const interrupt = (): void => ending.abort(io.signal.reason);
  if (io.signal.aborted) interrupt();
  io.signal.addEventListener('abort', interrupt, { once: true });
  try {
    if (hooksAreOff(io.env)) await tellKillSwitch(executor, io);
    const verdict = await executor.dispatch(event, { signal: ending.signal, depth });
    await print(verdict, io, flags);
    await endWatching(verdict, ending, io);
    return verdictExitCode(verdict.decision);
  } finally {
    // The answer is out; what cleaning up may take is no reason to hold it back from a host that waits for the exit.
    await Promise.race([executor.close(), sleep(closeDeadlineMs)]);
  }
}

async function tellKillSwitch(executor: Executor, io: Io): Promise<void> {
  const forbidden = executor.list().settings.find(({ key, value }) => key === 'killSwitch' && value === 'forbidden');
  if (forbidden === undefined) return;
  await tell(io, `hookcell: HOOKCELL_HOOKS=off has no effect: ${originText(forbidden.origin)} forbids it`);
}

async function print(verdict: Verdict, io: Io, flags: ExecFlags): Promise<void> {
  const code = verdictExitCode(verdict.decision);
  if (code === exitCodes.ok && verdict.data !== undefined && goesNowhere(io.stdout)) {
    const message =
      'is closed or /dev/null, and a hook changed the data: the action would go on without it. Read stdout';
    throw new CliError('output', `stdout: ${message}`, [{ code: 'unwritten', message, file: 'stdout' }]);
  }
  await write(io.stdout, `${flags.json === true ? stringifyVerdict(verdict) : hostAnswer(verdict)}\n`);
  io.answered?.(code);
  await tell(io, verdictText(verdict, { clean: cleanForPeople, paint: paintFor('stderr', io) }));
}

/**
 * Waits for the hooks that only watch. After an allow up to their own limits: a host that stops waiting and ends this
 * process goes on, as it may. Every other answer is lost with the exit code, so there they get a short time.
 */
async function endWatching({ decision, observed }: Verdict, ending: AbortController, io: Io): Promise<void> {
  const timer = decision.action === 'allow' ? undefined : setTimeout(() => ending.abort(), watchMs);
  const outcomes = await observed;
  clearTimeout(timer);
  for (const outcome of outcomes) {
    if (outcome.status !== 'failed') continue;
    const ended = outcome.cause === 'canceled' && !io.signal.aborted;
    const why = ended ? `was ended ${watchMs / 1000} s after the answer` : `failed: ${cleanForPeople(outcome.message)}`;
    await tell(io, `hookcell: ${outcome.hook.pack}/${outcome.hook.id}, which only watches, ${why}`);
  }
}

function hostAnswer({ decision, data }: Verdict): string {
  const answer = jsonFromUnknown(data === undefined ? { decision } : { decision, data }, { maxDepth: 512 });
  if (!answer.ok) throw new Error(`the verdict is no JSON: ${answer.message} at ${answer.pointer}`);
  return stringifyJson(answer.value);
}
