import type { JsonObject, Outcome } from '../protocol/index.ts';
import { buildEnvelope, redactionMargin } from '../protocol/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { diagnostics } from './diagnostics.ts';
import type { Idempotency } from './idempotency.ts';
import type { LoadedHook } from './loaded-hook.ts';
import type { Log } from './log.ts';
import type { Occasion, Refusal } from './occasion.ts';
import { refusalOf } from './occasion.ts';
import { emptyFacts, failedOutcome, internalMessage } from './outcomes.ts';
import type { Queue } from './queue.ts';
import type { RateGuard } from './rate-guard.ts';
import { isRateGuarded } from './rate-guard.ts';
import { readRun } from './read-run.ts';
import { unsayable } from './unsayable.ts';
import type { Overlay } from './trust/overlays.ts';
import type { View } from './views.ts';

/** What invocations share. */
export interface Workshop {
  readonly sandbox: Sandbox;
  readonly overlay: Overlay;
  readonly queue: Queue;
  readonly rateGuard: RateGuard;
  readonly idempotency: Idempotency;
  readonly log: Log;
  readonly secretValues: readonly string[];
  readonly limits: { readonly maxDepth: number; readonly maxEnvelopeBytes: number };
}

/** The outcome of one handler on one event, and the data that it replaced. */
export interface Invocation {
  readonly outcome: Outcome;
  readonly modified?: { readonly data: JsonObject; readonly touchedBesideSecrets: boolean };
}

/**
 * Asks one hook: waits for a slot, shows it its view of the event, runs it in the sandbox and reads what came back.
 * Never rejects: our own error is a failed outcome like any other, with the cause `internal`.
 *
 * @param budgetMs what is left of the event's total time
 */
export async function invoke(
  loaded: LoadedHook,
  data: JsonObject,
  occasion: Occasion,
  workshop: Workshop,
  budgetMs: number = Infinity,
): Promise<Invocation> {
  const { event, shownId, depth } = occasion;
  const { mode } = loaded.hook;
  const about = {
    hook: loaded.name,
    event: event.event,
    mode,
    depth,
    ...(shownId === undefined ? {} : { eventId: shownId }),
  };
  diagnostics.start(about);
  const invocation = await ask(loaded, data, occasion, workshop, budgetMs).catch((error: unknown): Invocation => ({
    outcome: internalOutcome(loaded, error),
  }));
  diagnostics.end({ ...about, outcome: invocation.outcome });
  return invocation;
}

async function ask(
  loaded: LoadedHook,
  data: JsonObject,
  occasion: Occasion,
  workshop: Workshop,
  budgetMs: number,
): Promise<Invocation> {
  const { hook, name, policy } = loaded;
  const timeoutMs = Math.max(1, Math.floor(Math.min(loaded.timeoutMs, budgetMs)));
  const facts = emptyFacts(name, hook.mode, timeoutMs);
  const refusal =
    refusalOf(occasion, workshop.limits.maxDepth) ??
    rateRefusal(loaded, workshop, occasion.event.event) ??
    budgetRefusal(budgetMs);
  if (refusal !== undefined) return { outcome: failedOutcome(facts, refusal.cause, refusal.message) };
  if (!policy.ok) return { outcome: failedOutcome(facts, policy.cause, policy.message) };
  const program = loaded.program();
  if (!program.ok) return { outcome: failedOutcome(facts, program.cause, `${program.message}; ${program.remedy}`) };

  const { signal } = occasion;
  const arrivedAt = performance.now();
  const release = await workshop.queue.enter(signal);
  const queued = { ...facts, queueMs: performance.now() - arrivedAt };
  if (release === undefined)
    return { outcome: failedOutcome(queued, 'canceled', 'canceled by the caller before it was launched') };
  try {
    const view = occasion.views(data, { reveal: loaded.from.pack.reveal, ascii: hook.handler.stdin === 'ascii' });
    if (view.redacted.revealed.length > 0) workshop.log.revealed(name.pack, view.redacted.revealed);
    const stdin = envelopeOf(loaded, view, occasion, workshop, timeoutMs);
    const maxBytes = Math.min(workshop.limits.maxEnvelopeBytes, loaded.definition.maxEnvelopeBytes ?? Infinity);
    if (stdin.length > maxBytes) {
      return {
        outcome: failedOutcome(
          queued,
          'payload_limit',
          `the envelope has ${stdin.length} bytes, expected at most ${maxBytes}; send less data with the event, or let the host raise limits.maxEnvelopeBytes`,
        ),
      };
    }
    const limits = { ...policy.policy.limits, timeoutMs };
    const secretValues = unsayable(workshop.secretValues, view);
    const raw = await workshop.sandbox.run({
      program: workshop.overlay(loaded, program.program, policy.policy),
      policy: {
        ...policy.policy,
        env: { ...policy.policy.env, HOOKCELL_DEPTH: String(occasion.depth) },
        limits: { ...limits, keepStderrBytes: limits.keepStderrBytes + redactionMargin(secretValues) },
      },
      stdin,
      ...(signal === undefined ? {} : { signal }),
    });
    return readRun(raw, { loaded, view, facts: queued, limits, secretValues });
  } finally {
    release();
  }
}

function rateRefusal({ name }: LoadedHook, { rateGuard }: Workshop, event: string): Refusal | undefined {
  if (!isRateGuarded(event) || rateGuard.admit(`${name.pack}/${name.id}`, event, performance.now())) return undefined;
  return {
    cause: 'recursion_limit',
    message: `asked too often at ${event} within a minute: look for a loop in which the hook sets off new runs`,
  };
}

function budgetRefusal(budgetMs: number): Refusal | undefined {
  if (budgetMs > 0) return undefined;
  return {
    cause: 'budget_exhausted',
    message: 'the total time of the event was spent by the hooks before it; use fewer or quicker hooks',
  };
}

function envelopeOf(
  loaded: LoadedHook,
  view: View,
  { event, depth, delivery }: Occasion,
  workshop: Workshop,
  timeoutMs: number,
): Uint8Array {
  const { hook, name, from } = loaded;
  return buildEnvelope({
    idempotencyKey: workshop.idempotency.key(delivery, { event: event.event, packHash: from.hash, hookId: hook.id }),
    hook: { id: hook.id, pack: name.pack, event: event.event, attempt: 1, depth, timeoutMs },
    data: view.prepared,
    context: view.redacted.context,
    redacted: view.redacted.redacted,
  }).bytes;
}

function internalOutcome({ name, hook, timeoutMs }: LoadedHook, error: unknown): Outcome {
  return failedOutcome(emptyFacts(name, hook.mode, timeoutMs), 'internal', internalMessage(error));
}
