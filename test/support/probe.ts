import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

import type { Capability } from './capability.ts';
import type { RunInside, RunOverrides } from './run-in-sandbox.ts';

const path = '/usr/bin/python3';

/** The interpreter of the attacks; of `/usr`, since nothing else is inside every sandbox. `scripts/setup --tests` installs it. */
export const python: Capability & { readonly path: string } = { name: path, present: existsSync(path), path };

export const x64: Capability = { name: 'x86-64', present: process.arch === 'x64' };

/** The path of one of the tiny handlers. */
export function handler(name: string): string {
  return resolve(import.meta.dirname, '../fixtures/handlers', name);
}

/** Runs a Python fixture inside; it must end well and print one JSON value. */
export async function probe(
  run: RunInside,
  name: string,
  argument: unknown = null,
  overrides: RunOverrides = {},
): Promise<unknown> {
  const script = handler(name);
  const ran = await run([path, '-I', script, JSON.stringify(argument)], {
    ...overrides,
    program: { ...overrides.program, binds: [...(overrides.program?.binds ?? []), script] },
  });
  expect({ kind: ran.kind, exit: ran.exit, err: ran.err }).toEqual({
    kind: 'ran',
    exit: { code: 0, signal: null },
    err: '',
  });
  return JSON.parse(ran.out);
}
