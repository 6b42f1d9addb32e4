import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';

/** Something of this machine that a live test needs. `present` says only that it is there, never that it works. */
export interface Capability {
  readonly name: string;
  readonly present: boolean;
}

/** A program of the system directories or of PATH. */
export function program(name: string): Capability & { readonly path: string } {
  const directories = ['/usr/bin', '/bin', ...(process.env['PATH'] ?? '').split(':')];
  const found = directories.map((directory) => path.join(directory, name)).find(isExecutable);
  return { name, present: found !== undefined, path: found ?? name };
}

export const linux: Capability = { name: 'Linux', present: process.platform === 'linux' };
export const bubblewrap = program('bwrap');
export const root: Capability = { name: 'root', present: process.getuid?.() === 0 };

/** A file or directory of the system, for example a header. */
export function file(filename: string): Capability {
  return { name: filename, present: existsSync(filename) };
}

/**
 * Registers a test that needs capabilities of this machine. One that is missing gives a skipped test, counted by
 * vitest, whose name says why. What is present but does not work must fail the test: never check for that here.
 */
export function liveTest(
  needs: Capability | readonly Capability[],
  name: string,
  run: () => void | Promise<void>,
): void {
  const missing = [needs].flat().filter((capability) => !capability.present);
  const reason = missing.map((capability) => capability.name).join(', ');
  test.skipIf(missing.length > 0)(missing.length > 0 ? `${name} [skipped: no ${reason}]` : name, run);
}

function isExecutable(filename: string): boolean {
  try {
    accessSync(filename, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
