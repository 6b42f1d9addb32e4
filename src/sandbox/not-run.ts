import type { SandboxReport } from '../protocol/index.ts';
import type { Policy } from './policy.ts';
import type { RawResult } from './raw-result.ts';
import type { RunRequest } from './sandbox.ts';

/** Why nothing was launched, and what to do about it. */
export interface Refusal {
  readonly detail: string;
  readonly remedy: string;
}

/** The result of a run that was never launched. */
export function notRun(
  kind: RawResult['kind'],
  request: RunRequest,
  sandbox: SandboxReport,
  why: Partial<Refusal> = {},
): RawResult {
  return {
    kind,
    memoryLimitHit: false,
    processLimitHit: false,
    exit: { code: null, signal: null },
    stdout: new Uint8Array(),
    stderr: new Uint8Array(),
    bytes: { stdin: request.stdin.length, stdinUnread: request.stdin.length, stdout: 0, stderr: 0 },
    durationMs: 0,
    sandbox,
    ...why,
  };
}

/**
 * A limit that was set by name and that this machine cannot enforce for the whole sandbox.
 * @param notes what the machine lacks, and what would mend that
 */
export function limitRefusal(
  { require }: Pick<Policy, 'require'>,
  report: Pick<SandboxReport, 'enforced'>,
  notes: readonly string[],
): Refusal | undefined {
  const missing = require.find((name) => !isLimited(name, report));
  if (missing === undefined) return undefined;
  const what = missing === 'memoryBytes' ? 'memory' : 'processes';
  return {
    detail: `the limit of ${what} was set explicitly and cannot be enforced for the whole sandbox here: ${notes.join('; ')}`,
    remedy:
      'Do what the note says (hookcell doctor has it, too), or leave the limit to its default: take the flag, or the line of the pack or the configuration, away.',
  };
}

function isLimited(name: Policy['require'][number], { enforced }: Pick<SandboxReport, 'enforced'>): boolean {
  const how = name === 'memoryBytes' ? enforced.memory : enforced.processes;
  // The memory rlimit bounds each process by itself, so it does not hold what was asked for the sandbox.
  return name === 'memoryBytes' ? how.startsWith('cgroup') : how !== 'none';
}
