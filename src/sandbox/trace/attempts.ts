import { basename, dirname, resolve } from 'node:path';
import { descriptorPath, stringOf, stringsIn } from './arguments.ts';
import type { Call, CallListener } from './call-reader.ts';
import { isNoise, nameFiles } from './noise.ts';
import { forkCalls, pathCalls } from './path-calls.ts';
import type { Access } from './refusal.ts';

/** A call on a path that failed, or that opened what only stands in for a secret. */
export interface PathAttempt {
  readonly path: string;
  readonly tried: Access;
  readonly error: string | undefined;
  times: number;
}

export interface AttemptsSetting {
  /** The process that becomes the sandbox's monitor: what it does is the wall's own work. */
  readonly monitor: number;
  readonly cwd: string;
  /** The sandbox's `PATH`. */
  readonly searchPath: readonly string[];
  readonly isCovered: (path: string) => boolean;
  /** Calls that the filter refuses whatever their arguments are. */
  readonly filtered: ReadonlySet<string>;
  /** Calls that the filter refuses for a mode that it does not allow. */
  readonly modeCalls: ReadonlySet<string>;
}

/** A hostile program can try without end; what comes after these many different things is only counted. */
const maxDifferent = 1_000;
const maxProcesses = 4_096;
const maxMentions = 262_144;
const pathErrors: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);

/** Gathers what a traced program tried without success. Looks at nothing outside of the trace. */
export class Attempts implements CallListener {
  readonly paths = new Map<string, PathAttempt>();
  readonly sockets = new Map<string, number>();
  readonly syscalls = new Map<string, number>();
  readonly limits = new Map<string, number>();
  /** Programs that no directory of `PATH` holds. */
  readonly #searched = new Map<string, { readonly missing: Set<string>; found: boolean; times: number }>();
  readonly #directories = new Map<number, string>();
  /** Local sockets that a process was just refused. */
  readonly #local = new Map<number, number>();
  readonly #setting: AttemptsSetting;
  #lastForker: number | undefined;
  #inside = false;
  #dropped = false;
  #mentions = '';

  constructor(setting: AttemptsSetting) {
    this.#setting = setting;
  }

  get incomplete(): boolean {
    return this.#dropped;
  }

  /** All that command lines say: what stands in them was asked for. */
  get mentions(): string {
    return this.#mentions;
  }

  get missingPrograms(): ReadonlyMap<string, number> {
    const { searchPath } = this.#setting;
    const missing = [...this.#searched].filter(
      ([, search]) => !search.found && searchPath.every((directory) => search.missing.has(directory)),
    );
    return new Map(missing.map(([name, { times }]) => [name, times]));
  }

  entered(pid: number, name: string): void {
    if (forkCalls.has(name)) this.#lastForker = pid;
  }

  signal(pid: number, name: string): void {
    if (this.#inside && pid !== this.#setting.monitor && name === 'SIGSYS')
      this.#count(this.syscalls, 'a system call of another architecture');
  }

  call(call: Call): void {
    const { pid, name, error, args } = call;
    if (pid === this.#setting.monitor) return;
    const isExec = name === 'execve' || name === 'execveat';
    // The wall opens at the first program that it executes; what it did before is its own work.
    if (isExec && error === undefined) this.#inside = true;
    if (!this.#inside && !isExec) return;
    if (isExec) this.#mention(stringsIn(args.slice(1, 3).join(' ')));
    if (this.#isLocalSocket(call)) return;
    if (error !== undefined && this.#isOtherwiseRefused(call)) return;
    for (const place of pathCalls.get(name) ?? []) {
      const path = this.#absolute(
        pid,
        place.directory === undefined ? undefined : args[place.directory],
        args[place.path],
      );
      if (path !== undefined) this.#tried(path, place.access(args), call);
    }
    if (error !== undefined) return;
    if (name === 'chdir') this.#enter(pid, this.#absolute(pid, undefined, args[0]));
    if (name === 'fchdir') this.#enter(pid, descriptorPath(args[0]));
  }

  /** The C library asks a name service by a local socket, and goes on to files where there is none: that is not the program's. */
  #isLocalSocket({ pid, name, args, error }: Call): boolean {
    if (name === 'socket' && args[0] === 'AF_UNIX' && error === 'EPERM') {
      if (this.#local.size < maxProcesses) this.#local.set(pid, (this.#local.get(pid) ?? 0) + 1);
      this.sockets.set('AF_UNIX', (this.sockets.get('AF_UNIX') ?? 0) + 1);
      return true;
    }
    const count = this.#local.get(pid);
    if (count === undefined) return false;
    this.#local.delete(pid);
    const path = stringOf(args[pathCalls.get(name)?.[0]?.path ?? 0]);
    if (path === undefined || !nameFiles.has(path)) return false;
    const left = (this.sockets.get('AF_UNIX') ?? 0) - count;
    if (left > 0) this.sockets.set('AF_UNIX', left);
    else this.sockets.delete('AF_UNIX');
    return false;
  }

  /** Limits, sockets and the filter: refusals that are not about a path. */
  #isOtherwiseRefused({ name, error, args }: Call): boolean {
    if (error === 'EMFILE') return this.#count(this.limits, 'maxOpenFiles');
    if (error === 'EAGAIN' && forkCalls.has(name)) return this.#count(this.limits, 'maxProcesses');
    if (error === 'EFBIG') return this.#count(this.limits, `maxFileBytes ${descriptorPath(args[0]) ?? ''}`);
    if (error === 'ENOSPC')
      return this.#count(this.limits, `tmpBytes ${descriptorPath(args[0]) ?? stringOf(args[1]) ?? ''}`);
    if (error !== 'EPERM') return false;
    if (name === 'socket' || name === 'socketpair') return this.#count(this.sockets, args[0] ?? '');
    if (this.#setting.filtered.has(name)) return this.#count(this.syscalls, name);
    if (name === 'ioctl') return this.#count(this.syscalls, `ioctl ${args[1] ?? ''}`);
    if (forkCalls.has(name)) return this.#count(this.syscalls, `${name} with new namespaces`);
    const sets =
      this.#setting.modeCalls.has(name) && args.some((argument) => /^0[2-7]\d{3}$|S_IS[UG]ID/u.test(argument));
    return sets ? this.#count(this.syscalls, `${name} with a set-user-ID mode`) : false;
  }

  #tried(path: string, tried: Access, { error }: Call): void {
    const search = this.#setting.searchPath.includes(dirname(path)) ? this.#search(basename(path)) : undefined;
    if (search !== undefined && error === undefined) search.found = true;
    if (search !== undefined && error === 'ENOENT') {
      search.missing.add(dirname(path));
      search.times += dirname(path) === this.#setting.searchPath[0] ? 1 : 0;
      return;
    }
    if (error === undefined ? !this.#setting.isCovered(path) || tried !== 'read' : !pathErrors.has(error)) return;
    const key = `${tried} ${error ?? ''} ${path}`;
    const known = this.paths.get(key);
    if (known !== undefined) known.times += 1;
    // Interpreters look in thousands of places; these must not push out what the script itself did.
    else if (this.paths.size >= maxDifferent / 2 && isNoise(path, tried)) return;
    else if (this.paths.size < maxDifferent) this.paths.set(key, { path, tried, error, times: 1 });
    else this.#dropped = true;
  }

  #search(name: string): { readonly missing: Set<string>; found: boolean; times: number } | undefined {
    const known = this.#searched.get(name);
    if (known !== undefined || this.#searched.size >= maxDifferent) return known;
    const search = { missing: new Set<string>(), found: false, times: 0 };
    this.#searched.set(name, search);
    return search;
  }

  #count(counts: Map<string, number>, what: string): true {
    if (counts.has(what) || counts.size < maxDifferent) counts.set(what, (counts.get(what) ?? 0) + 1);
    else this.#dropped = true;
    return true;
  }

  /** A relative path starts from its descriptor, or from where the process is. */
  #absolute(pid: number, descriptor: string | undefined, argument: string | undefined): string | undefined {
    const path = stringOf(argument);
    if (path === undefined || path === '') return undefined;
    const from = descriptorPath(descriptor);
    if (from !== undefined && descriptor?.startsWith('AT_FDCWD') === true) this.#enter(pid, from);
    if (path.startsWith('/')) return resolve(path);
    // A descriptor that says nothing: the path cannot be known.
    if (from === undefined && descriptor !== undefined && !descriptor.startsWith('AT_FDCWD')) return undefined;
    return resolve(from ?? this.#directoryOf(pid), path);
  }

  #enter(pid: number, directory: string | undefined): void {
    if (directory !== undefined && (this.#directories.has(pid) || this.#directories.size < maxProcesses))
      this.#directories.set(pid, directory);
  }

  /** A process that was not seen before is where its parent is: the last one that started a process. */
  #directoryOf(pid: number): string {
    const parent = this.#lastForker === undefined ? undefined : this.#directories.get(this.#lastForker);
    return this.#directories.get(pid) ?? parent ?? this.#setting.cwd;
  }

  #mention(texts: readonly string[]): void {
    if (this.#mentions.length < maxMentions) this.#mentions += `${texts.join('\n')}\n`;
  }
}
