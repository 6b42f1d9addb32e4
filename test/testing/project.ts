import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { VectorResult, VectorRunOptions } from '../../src/testing/index.ts';
import { runVector } from '../../src/testing/index.ts';

/** A project with one pack, `p`, removed after the test. Texts that start with `#!` become programs. */
export function projectOf(hooks: readonly object[], files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookcell-vectors-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  write(root, { '.hookcell/hooks/p.json': JSON.stringify({ version: 1, name: 'p', hooks }), ...files });
  return root;
}

export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}

export function read(root: string, name = 'a.vector.json'): string {
  return readFileSync(path.join(root, name), 'utf8');
}

/** A hook at `tool:before` that answers the decision, whatever it is asked. */
export function says(decision: object, hook: object = {}): object {
  return shell(`cat >/dev/null; printf '%s' '${JSON.stringify({ decision })}'`, hook);
}

/** A hook at `tool:before` that is a shell line. */
export function shell(line: string, hook: object = {}, handler: object = {}): object {
  const command = ['/bin/sh', '-c', line];
  return {
    id: 'h',
    event: 'tool:before',
    ...hook,
    handler: { type: 'command', command, timeoutMs: 20_000, ...handler },
  };
}

export const event = { event: 'tool:before', data: { tool: 'write', input: { path: 'a.txt' } } };

export function textOf(expect: object | undefined, rest: object = {}): string {
  return JSON.stringify({ version: 1, event, ...rest, ...(expect === undefined ? {} : { expect }) });
}

/** Runs one vector of a project that is made for it. */
export async function resultOf(
  hooks: readonly object[],
  expect: object | undefined,
  { vector = {}, options = {} }: { readonly vector?: object; readonly options?: VectorRunOptions } = {},
): Promise<VectorResult> {
  const cwd = projectOf(hooks, { 'a.vector.json': textOf(expect, vector) });
  return runVector('a.vector.json', { cwd, ...options });
}
