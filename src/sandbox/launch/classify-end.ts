import { constants } from 'node:os';
import type { ExitReport } from '../../protocol/index.ts';
import type { KillReason, RawResult } from '../raw-result.ts';
import type { SlotEnd } from './slot.ts';
import type { WallStatus } from './status-channel.ts';

export interface EndFacts {
  readonly wall: 'bubblewrap' | 'none';
  readonly status: WallStatus;
  readonly end: SlotEnd;
  readonly killed: KillReason | undefined;
  readonly memoryLimitHit: boolean;
  /** What was written to stderr; bubblewrap's own words as long as the program was not executed. */
  readonly stderr: string;
}

export interface EndClass {
  readonly kind: Extract<RawResult['kind'], 'ran' | 'not-executed' | 'not-built'>;
  readonly exit: ExitReport;
  readonly detail?: string;
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/**
 * Tells a failure of the wall from a failure of the handler by the status channel alone. The text on stderr only chooses the wording:
 * it is bubblewrap's own where no exit code was reported, for then nothing of the handler has run.
 */
export function classifyEnd(facts: EndFacts): EndClass {
  const { end, status } = facts;
  if (end.error)
    return { kind: 'not-built', exit: none, detail: `the launcher could not be started: ${end.error.message}` };
  // A bound can also be found broken after the child's own exit, which then stands in the report beside the reason.
  if (facts.killed !== undefined || facts.memoryLimitHit) {
    const own = end.signal === null && status.exitCode !== undefined && status.exitCode < 128;
    return { kind: 'ran', exit: own ? exitOf(status.exitCode) : { code: null, signal: 'SIGKILL' } };
  }
  if (end.signal !== null) return { kind: 'ran', exit: { code: null, signal: end.signal } };
  if (facts.wall === 'none') return { kind: 'ran', exit: exitOf(end.code) };
  if (status.exitCode !== undefined) {
    // The monitor hands the program's status on; where the two differ, something between them was tampered with.
    if (end.code !== status.exitCode)
      return { kind: 'ran', exit: { code: end.code === 0 ? 255 : end.code, signal: null } };
    return { kind: 'ran', exit: exitOf(status.exitCode) };
  }
  const said = facts.stderr.trim();
  const notExecuted = status.childPid !== undefined && /^bwrap: execvp /mu.test(said);
  return {
    kind: notExecuted ? 'not-executed' : 'not-built',
    exit: none,
    detail: said === '' ? `bwrap ended with code ${end.code} before the program was executed` : said,
  };
}

const none: ExitReport = { code: null, signal: null };

/** 128 + n is how the sandbox, like a shell, reports "ended by signal n"; a program may also exit so itself, and both are failures. */
function exitOf(code: number | null | undefined): ExitReport {
  const signal = code !== null && code !== undefined && code > 128 ? signalNames.get(code - 128) : undefined;
  return { code: code ?? null, signal: signal ?? null };
}
