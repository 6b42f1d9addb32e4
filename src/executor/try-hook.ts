import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { VerdictDocument } from '../protocol/index.ts';
import { cutText } from '../protocol/index.ts';
import type { Program, RawResult, Sandbox, Timings, Trace } from '../sandbox/index.ts';
import type { ChainLimits } from './chain.ts';
import { runChain } from './chain.ts';
import { tameText } from './handler-text.ts';
import type { Workshop } from './invoke.ts';
import type { ListedHook } from './list.ts';
import { listHook } from './list.ts';
import type { LoadedHook } from './loaded-hook.ts';
import { observe } from './observe.ts';
import type { Occasion } from './occasion.ts';
import { verdictDocument } from './verdict.ts';

/** One hook, tried on one event. */
export interface Trial {
  readonly hook: ListedHook;
  /** How the program answers. */
  readonly decide: 'json' | 'exit-code';
  /** The final argument vector, when the program was found. */
  readonly argv?: readonly string[];
  /** Files whose change may change the outcome: the pack, and the program's own files outside the system's directories. */
  readonly files: readonly string[];
  /** What the operator grants, whether the pack asks for it or not: only the other half is missing then. */
  readonly granted: Granted;
  /** Why the event would not ask this hook; nothing was run then. */
  readonly unasked?: string;
  /** What would come of the event with this hook alone. An observing hook changes nothing: look at its outcome. */
  readonly verdict?: VerdictDocument;
  /** What the hook got on stdin. Absent when it was not launched. */
  readonly envelope?: string;
  /** What it printed on stdout; redacted, without control characters, cut. */
  readonly answer?: string;
  readonly timings?: Timings;
  readonly trace?: Trace;
}

/** Paths are absolute and real. */
export interface Granted {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly network: 'none' | 'host';
  readonly maxProcesses: number;
}

/** Runs one hook alone and keeps what `dispatch` does not: what went in, what came out, and what the wall refused. */
export async function tryHook(
  loaded: LoadedHook,
  occasion: Occasion,
  workshop: Workshop,
  limits: ChainLimits,
  trace: boolean,
): Promise<Trial> {
  const program = loaded.program();
  const about = {
    hook: listHook(loaded),
    decide: loaded.hook.handler.decide,
    ...(program.ok ? { argv: program.program.argv } : {}),
    granted: grantedTo(loaded),
    files: [loaded.from.pack.file, ...(program.ok ? filesOf(program.program) : [])],
  };
  const { event, definition } = occasion;
  const match = loaded.matcher(event, definition);
  if (loaded.hook.event !== event.event) return { ...about, unasked: `it is for ${loaded.hook.event}` };
  if (!match.matches) return { ...about, unasked: match.why };

  const seen: Seen = {};
  const watched = { ...workshop, sandbox: watch(workshop.sandbox, trace, seen) };
  const chain = await runChain(loaded.hook.mode === 'control' ? [loaded] : [], occasion, watched, limits);
  const observed =
    loaded.hook.mode === 'control'
      ? []
      : await observe([loaded], chain.data, occasion, watched, limits.maxHooksPerEvent);
  const document = verdictDocument(occasion, chain);
  const { stdin, raw } = seen;
  return {
    ...about,
    verdict: { ...document, outcomes: [...document.outcomes, ...observed] },
    ...(stdin === undefined ? {} : { envelope: new TextDecoder().decode(stdin) }),
    ...(raw === undefined ? {} : { answer: answerOf(raw, workshop) }),
    ...(raw?.timings === undefined ? {} : { timings: raw.timings }),
    ...(raw?.trace === undefined ? {} : { trace: raw.trace }),
  };
}

function grantedTo({ grant: { readPaths, writePaths, network, limits } }: LoadedHook): Granted {
  return {
    read: readPaths.map(({ value }) => value),
    write: writePaths.map(({ value }) => value),
    network: network.value,
    maxProcesses: limits.maxProcesses.value,
  };
}

/** Scripts stand on the command line by their absolute paths. */
function filesOf({ argv, binds }: Program): string[] {
  const files = argv.filter(isFile);
  return [...new Set([...files, ...binds])];
}

function isFile(word: string): boolean {
  try {
    return isAbsolute(word) && statSync(word).isFile();
  } catch {
    return false;
  }
}

interface Seen {
  stdin?: Uint8Array;
  raw?: RawResult;
}

function watch(sandbox: Sandbox, trace: boolean, seen: Seen): Sandbox {
  return {
    run: async (request) => {
      seen.stdin = request.stdin;
      seen.raw = await sandbox.run({ ...request, trace });
      return seen.raw;
    },
    capabilities: () => sandbox.capabilities(),
    keep: (bytes, executable) => sandbox.keep(bytes, executable),
    close: () => sandbox.close(),
  };
}

function answerOf({ stdout }: RawResult, { secretValues }: Workshop): string {
  return cutText(tameText(new TextDecoder().decode(stdout), secretValues));
}
