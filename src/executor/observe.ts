import type { JsonObject, Outcome } from '../protocol/index.ts';
import type { Workshop } from './invoke.ts';
import { invoke } from './invoke.ts';
import type { LoadedHook } from './loaded-hook.ts';
import type { Occasion } from './occasion.ts';
import { emptyFacts, failedOutcome } from './outcomes.ts';

/**
 * Asks observing hooks side by side, within the executor's concurrency, with the final data. Whatever they say is
 * recorded and changes nothing. Never rejects.
 */
export async function observe(
  hooks: readonly LoadedHook[],
  data: JsonObject,
  occasion: Occasion,
  workshop: Workshop,
  maxHooks: number,
): Promise<readonly Outcome[]> {
  return Promise.all(
    hooks.map(async (loaded, index) => {
      const { outcome } =
        index < maxHooks
          ? await invoke(loaded, data, occasion, workshop)
          : {
              outcome: failedOutcome(
                emptyFacts(loaded.name, 'observe', loaded.timeoutMs),
                'budget_exhausted',
                `more than ${maxHooks} observing hooks for one event`,
              ),
            };
      workshop.log.outcome(occasion.event.event, outcome, false);
      return outcome;
    }),
  );
}
