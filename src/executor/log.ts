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

/** Everything under one `hookcell` key, so that it cannot collide with the host's own fields. */
export function createLog(logger: Logger | undefined): Log {
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
      if (failedOpen) logger?.warn({ hookcell: { ...facts, failedOpen } }, 'hook failed open');
      else if (status === 'failed') logger?.info({ hookcell: facts }, 'hook could not be asked');
      else logger?.debug({ hookcell: facts }, 'hook asked');
    },
    verdict({ event, decision, failedOpen, outcomes }, durationMs) {
      const facts = {
        event,
        action: decision.action,
        hooks: outcomes.length,
        failedOpen: failedOpen.length,
        durationMs,
      };
      logger?.debug({ hookcell: facts }, 'verdict');
    },
    killSwitch() {
      logger?.warn({ hookcell: { killSwitch: true } }, 'hooks are switched off by the kill switch');
    },
    killSwitchForbidden(by) {
      logger?.warn(
        { hookcell: { killSwitch: false, forbiddenBy: by } },
        'the kill switch has no effect: it is forbidden',
      );
    },
    revealed(pack, pointers) {
      logger?.info(
        { hookcell: { pack, revealed: pointers } },
        'values shown to a hook in clear, as the operator granted',
      );
    },
  };
}
