import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Controller } from './layout.ts';

/** One group in one hierarchy, with the controllers that really bound it there. */
export interface GroupDirectory {
  readonly path: string;
  readonly version: 1 | 2;
  readonly controllers: readonly Controller[];
}

/** Attempts to remove a group whose last processes are still ending: 1, 2, 4, ... 64, 64, ... ms, about 2 s in all. */
const REMOVE_ATTEMPTS = 36;
const LONGEST_PAUSE_MS = 64;

/** The text of a control file, or `undefined` when the file or its group is gone. */
export function readControl(directory: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(directory, file), 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes a control file. Throws what was written where, and the kernel's answer. */
export function writeControl(directory: string, file: string, value: string): void {
  try {
    // Write-only, since cgroup.kill cannot be read; without O_CREAT, since a missing control file is never made.
    const descriptor = openSync(path.join(directory, file), constants.O_WRONLY);
    try {
      writeSync(descriptor, value);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new Error(`cgroup: cannot write "${value}" to ${path.join(directory, file)}: ${codeOf(error)}`, {
      cause: error,
    });
  }
}

/** Like `writeControl` for a value that some kernels do not take; says whether it was taken. */
export function tryControl(directory: string, file: string, value: string): boolean {
  try {
    writeControl(directory, file, value);
    return true;
  } catch {
    return false;
  }
}

/** Makes a group. `false` when it exists already; throws for every other refusal. */
export function makeDirectory(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new Error(`cgroup: cannot make the group ${directory}: ${codeOf(error)}`, { cause: error });
  }
}

/** A counter of a flat-keyed file such as `memory.events`; 0 when the file or the key is gone. */
export function readCounter(directory: string, file: string, key: string): number {
  const line = readControl(directory, file)
    ?.split('\n')
    .find((candidate) => candidate.startsWith(`${key} `));
  return line === undefined ? 0 : Number(line.slice(key.length + 1)) || 0;
}

/** Names of the groups directly below; empty when the group is gone. */
export function childrenOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** Processes of a group and of all groups below it. The id of a process in another pid namespace reads 0: left out. */
export function processesUnder(directory: string): readonly number[] {
  const own = (readControl(directory, 'cgroup.procs') ?? '')
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid);
  return [...own, ...childrenOf(directory).flatMap((name) => processesUnder(path.join(directory, name)))];
}

/** Removes a group and those below it; waits, bounded, for processes that are still ending. `false` when it stays. */
export async function removeDirectory(directory: string): Promise<boolean> {
  for (const name of childrenOf(directory)) await removeDirectory(path.join(directory, name));
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt += 1) {
    try {
      await rmdir(directory);
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return true;
      if (code !== 'EBUSY') return false;
    }
    await sleep(Math.min(2 ** attempt, LONGEST_PAUSE_MS));
  }
  return false;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
