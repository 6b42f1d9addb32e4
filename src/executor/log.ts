import type { Logger } from 'pino';
import type { Outcome, VerdictDocument } from '../protocol/index.ts';

/** What is logged: names, causes, times and sizes. No data of the event, and no text of a handler. */
export interface Log {
  outcome(event: string, outcome: Outcome, failedOpen: boolean): void;
  verdict(document: VerdictDocument, durationMs: number): void;
  killSwitch(): void;
  /** @param by the line that forbids it */
  killSwitchForbidden(by: string): void;
  revealed(pack: string, pointers: readonly string[]): void;
}

type Write = (level: 'debug' | 'info' | 'warn', facts: object, message: string) => void;

/**
 * Writes to the host's logger. What it throws, or what its promise rejects with, never reaches the executor: a verdict must
 * not depend on a full disk. The first such error is told as a warning of the process.
 */
function carefulWrite(logger: Logger | undefined): Write {
  let told = false;
  const tell = (error: unknown): void => {
    if (told) return;
    told = true;
    const message = error instanceof Error ? error.message : 'it threw no Error';
    process.emitWarning(`the logger failed, and hookcell goes on without what it should have logged: ${message}`, {
      type: 'HookcellWarning',
    });
  };
  return (level, facts, message) => {
    if (logger === undefined) return;
    try {
      const written: unknown = logger[level]({ hookcell: facts }, message);
      // A logger of the host's own may be asynchronous.
      if (typeof written === 'object' && written !== null) Promise.resolve(written).catch(tell);
    } catch (error) {
      tell(error);
    }
  };
}

/** Everything under one `hookcell` key, so that it cannot collide with the host's own fields. Never throws. */
export function createLog(logger: Logger | undefined): Log {
  const write = carefulWrite(logger);
  return {
    outcome(event, outcome, failedOpen) {
      const { hook, mode, status, durationMs, queueMs, bytes, exit } = outcome;
      const facts = {
        event,
        hook: `${hook.pack}/${hook.id}`,
        mode,
        status,
        ...('cause' in outcome ? { cause: outcome.cause } : {}),
        ...('decision' in outcome && outcome.decision !== undefined ? { action: outcome.decision.action } : {}),
        durationMs,
        queueMs,
        bytes,
        exit,
      };
      if (failedOpen) write('warn', { ...facts, failedOpen }, 'hook failed open');
      else if (status === 'failed') write('info', facts, 'hook could not be asked');
      else write('debug', facts, 'hook asked');
    },
    verdict({ event, decision, failedOpen, outcomes }, durationMs) {
      const facts = {
        event,
        action: decision.action,
        hooks: outcomes.length,
        failedOpen: failedOpen.length,
        durationMs,
      };
      write('debug', facts, 'verdict');
    },
    killSwitch() {
      write('warn', { killSwitch: true }, 'hooks are switched off by the kill switch');
    },
    killSwitchForbidden(by) {
      write('warn', { killSwitch: false, forbiddenBy: by }, 'the kill switch has no effect: it is forbidden');
    },
    revealed(pack, pointers) {
      write('info', { pack, revealed: pointers }, 'values shown to a hook in clear, as the operator granted');
    },
  };
}
