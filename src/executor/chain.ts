import type { Decision, FailedOpen, JsonObject, Outcome } from '../protocol/index.ts';
import { mergeDecision, strictness } from '../protocol/index.ts';
import { applyFailurePolicy, restrictionAt } from './failure-policy.ts';
import type { Invocation, Workshop } from './invoke.ts';
import { invoke } from './invoke.ts';
import type { LoadedHook } from './loaded-hook.ts';
import type { Occasion } from './occasion.ts';
import { emptyFacts, failedOutcome, skippedOutcome } from './outcomes.ts';

/** What the controlling hooks of one event came to. */
export interface ChainResult {
  /** `undefined`: no hook had anything to say. */
  readonly decision: Decision | undefined;
  readonly data: JsonObject;
  /** Fields that some hook replaced. */
  readonly modifiedFields: ReadonlySet<string>;
  readonly outcomes: readonly Outcome[];
  readonly failedOpen: readonly FailedOpen[];
}

export interface ChainLimits {
  readonly totalTimeMs: number;
  readonly maxHooksPerEvent: number;
}

/**
 * Asks controlling hooks one after another; each sees the data as modified so far. `deny` and `stop` end the chain,
 * everything else is remembered and the next hook is asked.
 */
export async function runChain(
  hooks: readonly LoadedHook[],
  occasion: Occasion,
  workshop: Workshop,
  limits: ChainLimits,
): Promise<ChainResult> {
  const { definition, event } = occasion;
  const outcomes: Outcome[] = [];
  const failedOpen: FailedOpen[] = [];
  const modifiedFields = new Set<string>();
  let { data } = event;
  let decision: Decision | undefined;
  let budgetMs = limits.totalTimeMs;

  for (const [index, loaded] of hooks.entries()) {
    if (decision !== undefined && strictness(decision.action) >= strictness('deny')) {
      outcomes.push(
        skippedOutcome(
          emptyFacts(loaded.name, 'control', loaded.timeoutMs),
          `not asked: a hook before it said ${decision.action}`,
        ),
      );
      continue;
    }
    const invocation =
      index < limits.maxHooksPerEvent
        ? await invoke(loaded, data, occasion, workshop, budgetMs)
        : oneTooMany(loaded, limits);
    const { outcome, modified } = invocation;
    outcomes.push(outcome);
    budgetMs -= outcome.durationMs;
    const effect = effectOf(invocation, loaded);
    if (effect.failedOpen && outcome.status === 'failed') failedOpen.push({ hook: loaded.name, cause: outcome.cause });
    workshop.log.outcome(event.event, outcome, effect.failedOpen);
    if (modified !== undefined && outcome.status === 'answered' && outcome.decision.action === 'modify') {
      for (const field of Object.keys(outcome.decision.data)) modifiedFields.add(field);
      ({ data } = modified);
    }
    // What is said where nothing may be raised is in the outcome, and goes no further.
    if (!definition.neverRaises) for (const said of effect.decisions) decision = mergeDecision(decision, said);
  }
  return { decision, data, modifiedFields, outcomes, failedOpen };
}

interface Effect {
  readonly decisions: readonly Decision[];
  readonly failedOpen: boolean;
}

function effectOf({ outcome, modified }: Invocation, loaded: LoadedHook): Effect {
  if (outcome.status === 'failed') {
    const { decision, failedOpen } = applyFailurePolicy(outcome, loaded.hook.onFailure, loaded.definition);
    return { decisions: decision === undefined ? [] : [decision], failedOpen };
  }
  if (outcome.status !== 'answered') return { decisions: [], failedOpen: false };
  if (modified?.touchedBesideSecrets !== true || loaded.mayModifyBesideSecrets)
    return { decisions: [outcome.decision], failedOpen: false };
  const reason = `${loaded.name.pack}/${loaded.name.id} changed a field that holds a redacted secret; a person must look at it`;
  const ask = restrictionAt(loaded.definition, { action: 'ask', reason });
  return { decisions: ask === undefined ? [outcome.decision] : [outcome.decision, ask], failedOpen: false };
}

function oneTooMany(loaded: LoadedHook, { maxHooksPerEvent }: ChainLimits): Invocation {
  const message = `more than ${maxHooksPerEvent} controlling hooks for one event; merge some, or narrow their matchers`;
  return { outcome: failedOutcome(emptyFacts(loaded.name, 'control', loaded.timeoutMs), 'budget_exhausted', message) };
}
