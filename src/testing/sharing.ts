import { canonicalJson, jsonFromUnknown } from '../protocol/index.ts';
import type { PreparedVector } from './prepare-vector.ts';

/**
 * Says which vectors can share an executor: those that need the same of it. One event id with two contents would be a
 * conflict in one executor, so vectors that repeat an id are spread over several.
 */
export class Sharing {
  readonly #uses = new Map<string, number>();

  keyOf({ vector: { event, options }, executor }: PreparedVector): string {
    const { packs, projectRoot, sandbox } = executor;
    const needs = jsonFromUnknown([packs, projectRoot, sandbox, options ?? {}]);
    const key = needs.ok ? canonicalJson(needs.value) : '';
    if (event.id === undefined) return `${key} 0`;
    const { runId, sessionId } = event.context ?? {};
    const use = JSON.stringify([key, runId ?? sessionId ?? '', event.event, event.id]);
    const times = this.#uses.get(use) ?? 0;
    this.#uses.set(use, times + 1);
    return `${key} ${times}`;
  }
}
