import { setTimeout } from 'node:timers/promises';
import { createExecutor, originText, stringifyVerdict } from '../executor/index.ts';
import type { Executor, Verdict } from '../executor/index.ts';
import { cleanForPeople, jsonFromUnknown, stringifyJson } from '../protocol/index.ts';
import { paintFor } from './colour.ts';
import { depthOf, hooksAreOff } from './environment.ts';
import { execPack } from './exec-pack.ts';
import type { ExecFlags } from './exec-pack.ts';
import { executorOptions } from './executor-options.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { parseEvent } from './read-event.ts';
import { readStdin } from './read-stdin.ts';
import { verdictExitCode, verdictText } from './report-verdict.ts';

const closeDeadlineMs = 5_000;

export interface DispatchRequest {
  readonly io: Io;
  readonly flags: ExecFlags;
  /** `exec`: the program and its arguments. */
  readonly argv?: readonly string[];
}

/** The event on stdin, its verdict on stdout; returns the exit code. */
export async function dispatch({ io, flags, argv }: DispatchRequest): Promise<number> {
  const depth = depthOf(io.env);
  const event = parseEvent(await readStdin(io), flags.event);
  const pack = argv === undefined ? undefined : execPack(event.event, argv, flags);
  const executor = await createExecutor(executorOptions(io, flags, pack));
  try {
    if (hooksAreOff(io.env)) await tellKillSwitch(executor, io);
    const verdict = await executor.dispatch(event, { signal: io.signal, depth });
    await print(verdict, io, flags);
    // Hooks that only watch go on after the verdict; each is bounded by its own limit.
    await verdict.observed;
    return verdictExitCode(verdict.decision);
  } finally {
    // The answer is out; what cleaning up may take is no reason to hold it back from a host that waits for the exit.
    await Promise.race([executor.close(), setTimeout(closeDeadlineMs)]);
  }
}

async function tellKillSwitch(executor: Executor, io: Io): Promise<void> {
  const forbidden = executor.list().settings.find(({ key, value }) => key === 'killSwitch' && value === 'forbidden');
  if (forbidden === undefined) return;
  await tell(io, `hookcell: HOOKCELL_HOOKS=off has no effect: ${originText(forbidden.origin)} forbids it`);
}

async function print(verdict: Verdict, io: Io, flags: ExecFlags): Promise<void> {
  await write(io.stdout, `${flags.json === true ? stringifyVerdict(verdict) : hostAnswer(verdict)}\n`);
  await tell(io, verdictText(verdict, { clean: cleanForPeople, paint: paintFor('stderr', io) }));
}

function hostAnswer({ decision, data }: Verdict): string {
  const answer = jsonFromUnknown(data === undefined ? { decision } : { decision, data }, { maxDepth: 512 });
  if (!answer.ok) throw new Error(`the verdict is no JSON: ${answer.message} at ${answer.pointer}`);
  return stringifyJson(answer.value);
}
