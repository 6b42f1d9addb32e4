import type { Event, EventDefinition, HookName, Outcome } from '../protocol/index.ts';
import { HookcellError } from '../protocol/index.ts';
import type { Capabilities } from '../sandbox/index.ts';
import type { ChainLimits, ChainResult } from './chain.ts';
import { runChain } from './chain.ts';
import { diagnostics } from './diagnostics.ts';
import type { Untrusted } from './discover.ts';
import type { DispatchOptions, TryOptions } from './dispatch-options.ts';
import { readDispatchOptions, readTryOptions } from './dispatch-options.ts';
import type { Explanation } from './explain.ts';
import { explainHook } from './explain.ts';
import type { HookIndex } from './hook-index.ts';
import { indexHooks } from './hook-index.ts';
import type { Workshop } from './invoke.ts';
import type { Listing, Surroundings } from './list.ts';
import { listHook, untrustedPart } from './list.ts';
import type { LoadedHook } from './loaded-hook.ts';
import { observe } from './observe.ts';
import { createOccasion, shownEventId } from './occasion.ts';
import { planHooks } from './plan.ts';
import type { EventInput } from './read-dispatched.ts';
import { readDispatched } from './read-dispatched.ts';
import type { Trial } from './try-hook.ts';
import { tryHook } from './try-hook.ts';
import { internalResult, killSwitchResult, withUntrusted } from './stand-in.ts';
import type { Verdict } from './verdict.ts';
import { isVerdictOf, verdictDocument } from './verdict.ts';

/** What an executor is made of; see `createExecutor`. */
export interface ExecutorParts {
  readonly workshop: Workshop;
  /** Ordered. */
  readonly hooks: readonly LoadedHook[];
  readonly limits: ChainLimits;
  readonly knownEvents: ReadonlyMap<string, EventDefinition>;
  readonly untrusted: Untrusted | undefined;
  readonly killSwitch: boolean;
  readonly surroundings: Surroundings;
}

/** Asks hooks about events. Made by `createExecutor`, ended by {@link Executor.close} or `await using`. */
export class Executor {
  readonly #parts: ExecutorParts;
  readonly #index: HookIndex<LoadedHook>;
  readonly #pending = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#index = indexHooks(parts.hooks);
  }

  /**
   * Asks every hook that is for this event, and resolves to the verdict whatever the hooks do.
   *
   * @throws {HookcellError} only for the caller's own mistakes: `invalid_event`, `invalid_options`, `executor_closed`.
   * @example
   * const verdict = await executor.dispatch({ event: 'tool:before', data: { tool: 'write', input } }, { signal });
   * if (verdict.decision.action === 'deny') refuse(verdict.decision.reason);
   */
  async dispatch<Name extends string>(input: EventInput<Name>, options: DispatchOptions = {}): Promise<Verdict<Name>> {
    this.#mustBeOpen();
    const read = readDispatchOptions(options);
    const { event, definition } = readDispatched(input, this.#parts.knownEvents);
    const verdict = await this.#track(this.#decide(event, definition, read));
    if (!isVerdictOf(verdict, input.event))
      throw new HookcellError('invalid_event', 'the event changed while it was decided');
    return verdict;
  }

  async #decide(event: Event, definition: EventDefinition, options: DispatchOptions): Promise<Verdict> {
    const startedAt = performance.now();
    const { workshop, limits, untrusted, killSwitch } = this.#parts;
    let observed: Promise<readonly Outcome[]> = Promise.resolve([]);
    let chain: ChainResult;
    try {
      const plan = planHooks(this.#index, event, (hook) => hook.matcher(event, definition));
      const unasked = { definition, data: event.data };
      if (killSwitch) chain = killSwitchResult([...plan.control, ...plan.observe], untrusted, unasked);
      else {
        const occasion = createOccasion(event, definition, options, workshop);
        chain = await runChain(plan.control, occasion, workshop, limits);
        if (untrusted !== undefined) chain = withUntrusted(chain, untrusted, unasked);
        observed = this.#track(observe(plan.observe, chain.data, occasion, workshop, limits.maxHooksPerEvent));
      }
    } catch (error) {
      chain = internalResult(error, { definition, data: event.data });
    }
    const document = verdictDocument({ event, shownId: shownEventId(event, workshop.secretValues) }, chain);
    workshop.log.verdict(document, performance.now() - startedAt);
    diagnostics.verdict(document);
    return { ...document, observed };
  }

  /**
   * Runs one hook alone, for its author, and tells what went in, what came out, where the time went, and with `trace` what
   * the wall refused. The kill switch does not hold it back.
   *
   * @throws {HookcellError} `invalid_event`, `invalid_options` (there is no such hook), `executor_closed`.
   */
  async tryHook(name: HookName, input: EventInput, options: TryOptions = {}): Promise<Trial> {
    this.#mustBeOpen();
    const read = readTryOptions(options);
    const { workshop, limits, knownEvents, hooks } = this.#parts;
    const { event, definition } = readDispatched(input, knownEvents);
    const loaded = hooks.find((hook) => hook.name.pack === name.pack && hook.name.id === name.id);
    if (loaded === undefined) throw new HookcellError('invalid_options', `there is no hook ${name.pack}/${name.id}`);
    const occasion = createOccasion(event, definition, read, workshop);
    return this.#track(tryHook(loaded, occasion, workshop, limits, read.trace === true));
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined)
      throw new HookcellError('executor_closed', 'this executor is closed; create another one');
  }

  /**
   * Says which hooks would run on an event, which not, and why, with the final argv and policy. Runs nothing.
   *
   * @throws {HookcellError} `invalid_event`.
   */
  explain(input: EventInput): Explanation {
    const { event } = readDispatched(input, this.#parts.knownEvents);
    const hooks = this.#parts.hooks.map((hook) => explainHook(hook, event));
    const { untrusted, surroundings } = this.#parts;
    return { event: event.event, project: surroundings.project, hooks, ...untrustedPart(untrusted) };
  }

  /** Says which hooks there are, in their order, with what they get, and where every value came from. Runs nothing. */
  list(): Listing {
    const { hooks, untrusted, surroundings } = this.#parts;
    return { ...surroundings, hooks: hooks.map(listHook), ...untrustedPart(untrusted) };
  }

  /** What this machine enforces, found by trying it. */
  async capabilities(): Promise<Capabilities> {
    return this.#parts.workshop.sandbox.capabilities();
  }

  /** Waits for events that are being decided and for observing hooks, then takes the sandbox down. May be called again. */
  async close(): Promise<void> {
    this.#closing ??= (async () => {
      // An event that is being decided may add its observing hooks while this waits.
      while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
      await this.#parts.workshop.sandbox.close();
    })();
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #track<Value>(work: Promise<Value>): Promise<Value> {
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }
}
