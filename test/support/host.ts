import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

import type { RunRequest, SandboxOptions } from '../../src/sandbox/index.ts';

const script = resolve(import.meta.dirname, '../fixtures/hosts/run-requests.mjs');

export interface HostedResult {
  readonly kind: string;
  readonly exit: { readonly code: number | null };
  readonly stdout: string;
  readonly detail?: string;
  readonly remedy?: string;
}

/** A process of its own that runs requests by the built library; the file needs the project `built`. */
export function startHost(
  options: Partial<SandboxOptions>,
  requests: readonly RunRequest[],
  launcher: readonly string[] = [],
): ChildProcess {
  const task = JSON.stringify({ options, requests: requests.map(({ program, policy }) => ({ program, policy })) });
  const own = [script, task];
  const [command, ...words] = launcher;
  const line = command === undefined ? own : [...words, process.execPath, ...own];
  return spawn(command ?? process.execPath, line, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The results of a host that lives to its end. Throws with its stderr when it does not. */
export async function resultsOf(host: ChildProcess): Promise<readonly HostedResult[]> {
  const [text, errors, code] = await Promise.all([
    textOf(host.stdout),
    textOf(host.stderr),
    new Promise((done) => host.once('exit', done)),
  ]);
  if (code !== 0) throw new Error(`the host ended with ${String(code)}: ${errors}`);
  const results: HostedResult[] = JSON.parse(text.replace(/^ready\n/u, ''));
  return results;
}

async function textOf(stream: ChildProcess['stdout']): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
