import { closeSync, constants, openSync, readSync } from 'node:fs';
import { fixedPath } from '../environment.ts';
import type { LaunchTracer, Slot } from '../launch/index.ts';
import type { Policy, Program } from '../policy.ts';
import { isSystemPath } from '../program/installation.ts';
import { DENIED, MODE_CALLS } from '../seccomp/syscalls.ts';
import { isInside } from '../view/paths.ts';
import { Attempts } from './attempts.ts';
import { judgePaths } from './judge.ts';
import type { Refusal, Trace } from './refusal.ts';
import { findStrace, straceMissing } from './strace.ts';
import type { Untraceable } from './strace.ts';
import { startTracer } from './tracer.ts';
import type { Tracer } from './tracer.ts';

/** One run that is to be traced. */
export interface TraceSetting {
  readonly program: Program;
  readonly policy: Policy;
  /** Paths in whose place something empty is shown. */
  readonly covered: readonly string[];
  /** The operator's home directory. */
  readonly home: string;
  /** Private to this process. */
  readonly directory: string;
  /** Of this run alone. */
  readonly name: string;
}

/** Traces one run from outside; the program inside sees nothing of it but that it is slower. */
export class RunTrace implements LaunchTracer {
  readonly command: readonly string[];
  readonly #tracer: Tracer;
  readonly #setting: TraceSetting;
  #attempts: Attempts | undefined;
  #problem: Untraceable | undefined;

  private constructor(tracer: Tracer, setting: TraceSetting) {
    this.command = tracer.command;
    this.#tracer = tracer;
    this.#setting = setting;
  }

  static async start(setting: TraceSetting): Promise<RunTrace | Untraceable> {
    const strace = findStrace();
    if (strace === undefined) return straceMissing;
    try {
      return new RunTrace(await startTracer(strace, setting.directory, setting.name), setting);
    } catch (error) {
      return { why: `the trace could not be begun: ${String(error)}`, remedy: 'run `hookcell doctor`' };
    }
  }

  async attached(slot: Slot): Promise<boolean> {
    this.#problem = await this.#tracer.attached(slot);
    if (this.#problem !== undefined || slot.process.pid === undefined) return false;
    const { program } = this.#setting;
    this.#attempts = new Attempts({
      monitor: slot.process.pid,
      cwd: program.cwd,
      searchPath: [...fixedPath, ...(program.path ?? [])],
      isCovered: (path) => this.#isCovered(path),
      filtered: new Set(Object.keys(DENIED)),
      modeCalls: new Set(Object.keys(MODE_CALLS)),
    });
    this.#tracer.listen(this.#attempts);
    return true;
  }

  /** To be asked when the run is over. */
  async result(): Promise<Trace> {
    const cut = await this.#tracer.finish();
    const attempts = this.#attempts;
    if (attempts === undefined)
      return { state: 'untraced', ...(this.#problem ?? { why: 'nothing was launched', remedy: 'see the outcome' }) };
    const { policy, program, home } = this.#setting;
    const files = await judgePaths(attempts.paths.values(), {
      projectRoot: policy.projectRoot,
      readPaths: [...policy.readPaths, ...(policy.project === 'read' ? [policy.projectRoot ?? '/'] : [])],
      writePaths: policy.writePaths,
      home,
      isCovered: (path) => this.#isCovered(path),
      mentions: `${attempts.mentions}${program.argv.join('\n')}${scriptText(program)}`,
    });
    return {
      state: 'traced',
      refusals: [...files, ...otherRefusals(attempts)],
      incomplete: cut || attempts.incomplete,
    };
  }

  #isCovered(path: string): boolean {
    return this.#setting.covered.some((covered) => isInside(covered, path));
  }
}

function otherRefusals(attempts: Attempts): Refusal[] {
  const programs = [...attempts.missingPrograms].map(([name, times]): Refusal => ({ kind: 'program', name, times }));
  const sockets = [...attempts.sockets].map(([family, times]): Refusal => ({ kind: 'socket', family, times }));
  const syscalls = [...attempts.syscalls].map(([name, times]): Refusal => ({ kind: 'syscall', name, times }));
  return [...programs, ...sockets, ...syscalls, ...limitRefusals(attempts.limits)];
}

const limitNames = ['maxProcesses', 'maxOpenFiles', 'maxFileBytes', 'tmpBytes'] as const;

function limitRefusals(limits: ReadonlyMap<string, number>): Refusal[] {
  return [...limits].flatMap(([what, times]): Refusal[] => {
    const limit = limitNames.find((name) => what === name || what.startsWith(`${name} `));
    if (limit === undefined) return [];
    const path = what.slice(limit.length + 1);
    return [{ kind: 'limit', limit, ...(path === '' ? {} : { path }), times }];
  });
}

const maxScriptBytes = 262_144;

/** The beginning of every script on the command line: what it names, it asked for. */
function scriptText({ argv }: Program): string {
  return argv
    .filter((word) => word.startsWith('/') && !isSystemPath(word))
    .map((path) => beginningOf(path))
    .join('\n');
}

function beginningOf(path: string): string {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(maxScriptBytes);
      return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
