import { statSync } from 'node:fs';
import path from 'node:path';
import type { Trial } from '../executor/index.ts';
import { createExecutor, discoverProject } from '../executor/index.ts';
import type { ExecutorOptions } from '../executor/index.ts';
import { jsonFromUnknown, shellWord, stringifyJson } from '../protocol/index.ts';
import type { Event, HookName } from '../protocol/index.ts';
import { badFlag, CliError } from './cli-error.ts';
import { paintFor } from './colour.ts';
import type { TryFlags } from './commands/try.ts';
import { execPack } from './exec-pack.ts';
import { executorOptions } from './executor-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { parseEvent } from './read-event.ts';
import { readEventFile } from './read-event-file.ts';
import { readStdin } from './read-stdin.ts';
import { reportFailure } from './report-failure.ts';
import { trialText } from './try/report.ts';
import { watchFiles } from './try/watch.ts';

/** Where the hook comes from: a pack, or the command line. */
interface Subject {
  /** As it was asked for; absent for a program. */
  readonly hook?: string;
  readonly program?: readonly string[];
  readonly eventFile: string;
}

interface Tried {
  readonly trial: Trial;
  readonly projectRoot: string;
}

/** Runs one hook for its author, once or at every save; returns the exit code. */
export async function runTry(io: Io, words: readonly string[], flags: TryFlags): Promise<number> {
  const subject = subjectOf(io, words, flags);
  const runOnce = async (): Promise<{ readonly code: number; readonly trial: Trial }> => {
    const tried = await tryOnce(io, subject, flags);
    return { code: await report(tried, io, flags, subject), trial: tried.trial };
  };
  if (flags.watch !== true) return (await runOnce()).code;
  let known: readonly string[] = [];
  await watchFiles(io, {
    files: async () => {
      const named = [subject.eventFile, ...(await packPlaces(io, flags)), ...known];
      return named.map((file) => path.resolve(io.cwd, file)).filter((file) => !isSystem(file));
    },
    run: async () => {
      try {
        known = (await runOnce()).trial.files;
      } catch (error) {
        // Half-written files are the usual thing here: say what is wrong and wait for the next save.
        await reportFailure(error, io);
      }
    },
  });
  return exitCodes.ok;
}

/** Interpreters: nobody saves them. */
function isSystem(file: string): boolean {
  return file.startsWith('/usr/') || file.startsWith('/bin/');
}

/** No hook's name begins so. */
const pathWord = /^\.{0,2}\//u;

/** For a word that no hook has for its name: `checks/guard` may be meant for a program. */
function programRemedy(cwd: string, word: string | undefined): string {
  if (word === undefined || statSync(path.resolve(cwd, word), { throwIfNoEntry: false })?.isFile() !== true) return '';
  return `; for the program ${word} write it after --: -- ${shellWord(word)}`;
}

function subjectOf({ argv }: Io, words: readonly string[], { event, watch, shell, decide }: TryFlags): Subject {
  if (event === undefined)
    throw badFlag(
      '--event',
      'expected the file of an event (or - for stdin). `hookcell init` writes one to start from',
    );
  if (watch === true && event === '-') throw badFlag('--watch', 'expected --event FILE: stdin cannot be read again');
  if (argv.includes('--')) {
    if (words.length === 0) throw new CliError('usage', 'expected a program after --');
    return { program: words, eventFile: event };
  }
  const [hook, ...rest] = words;
  if (hook !== undefined && pathWord.test(hook)) {
    const program = words.map((word) => shellWord(word)).join(' ');
    const message = `expected one HOOK, such as guard/check, got the program ${hook}. Write it after --: -- ${program}`;
    throw new CliError('usage', message);
  }
  if (shell === true || decide !== undefined)
    throw badFlag(shell === true ? '--shell' : '--decide', 'is for a program after --; a pack says it itself');
  if (hook === undefined || rest.length > 0)
    throw new CliError('usage', `expected one HOOK, such as guard/check, or -- PROGRAM; got ${words.length} words`);
  return { hook, eventFile: event };
}

async function tryOnce(io: Io, subject: Subject, flags: TryFlags): Promise<Tried> {
  const { eventFile } = subject;
  const { event: _, ...unnamed } = flags;
  const text = eventFile === '-' ? await readStdin(io) : readEventFile(io.cwd, eventFile);
  const event = await parseEvent(io, text, unnamed, eventFile);
  const executor = await createExecutor(await optionsOf(io, subject, flags, event));
  try {
    const { hooks, project } = executor.list();
    const names = hooks.map(({ hook }) => hook);
    const name = subject.hook === undefined ? names[0] : pick(subject.hook, names, io.cwd);
    if (name === undefined) throw new CliError('internal', 'the program became no hook');
    const trial = await executor.tryHook(name, event, { signal: io.signal, trace: flags.trace !== false });
    return { trial, projectRoot: project.root };
  } finally {
    await executor.close();
  }
}

async function optionsOf(io: Io, { program, hook }: Subject, flags: TryFlags, event: Event): Promise<ExecutorOptions> {
  const { event: _, ...rest } = flags;
  const base = { ...executorOptions(io, rest, program && execPack(event.event, program, rest)), killSwitch: false };
  if (program !== undefined || flags.packs !== undefined) return base;
  const { root, packs } = await discoverProject(io.cwd, () => false);
  if (packs.length === 0) {
    const message = `found no packs in ${io.cwd} or above it (.hookcell/hooks); name them by --packs, or begin with hookcell init${programRemedy(io.cwd, hook)}`;
    throw new CliError('data', message);
  }
  return { ...base, packs: [...packs], projectRoot: root };
}

/** `pack/id`, or an id that only one pack has. */
function pick(wanted: string, names: readonly HookName[], cwd: string): HookName {
  const found = names.filter(({ pack, id }) => `${pack}/${id}` === wanted || id === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const listed = (found.length > 1 ? found : names).map(({ pack, id }) => `${pack}/${id}`).join(', ');
  if (found.length > 1) throw new CliError('data', `${wanted} is the id of several hooks; name one: ${listed}`);
  const there = `there is no hook ${wanted}; there are: ${listed === '' ? 'none' : listed}`;
  throw new CliError('data', `${there}${programRemedy(cwd, wanted)}`);
}

async function report({ trial, projectRoot }: Tried, io: Io, flags: TryFlags, { program }: Subject): Promise<number> {
  const paint = paintFor('stdout', io);
  const setting = { paint, hostPath: io.env['PATH'] ?? '', hasPack: program === undefined, projectRoot };
  const text = flags.json === true ? jsonText(trial) : trialText(trial, setting);
  await write(io.stdout, `${text}\n`);
  if (trial.unasked !== undefined) {
    await tell(io, 'hookcell: nothing was run: the event is not for this hook');
    return exitCodes.findings;
  }
  const failed = trial.verdict?.outcomes.find((outcome) => outcome.status === 'failed');
  if (failed === undefined) return exitCodes.ok;
  return failed.cause === 'sandbox_unavailable' ? exitCodes.unavailable : exitCodes.findings;
}

function jsonText(trial: Trial): string {
  const document = jsonFromUnknown({ version: 1, ...trial }, { maxDepth: 512 });
  if (!document.ok) throw new Error(`the trial is no JSON: ${document.message} at ${document.pointer}`);
  return stringifyJson(document.value);
}

/** What `--watch` looks at while no run has told of more. */
async function packPlaces(io: Io, { packs }: TryFlags): Promise<readonly string[]> {
  return packs ?? (await discoverProject(io.cwd, () => false)).packs;
}
