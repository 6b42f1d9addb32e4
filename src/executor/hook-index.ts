import type { Event, Matcher } from '../protocol/index.ts';
import { compileGlob } from '../protocol/index.ts';

import { readingsOf } from './readings.ts';

/** What an index needs to know of a hook. */
export interface Indexable {
  readonly hook: { readonly event: string; readonly matcher: Matcher };
}

/**
 * Finds the hooks that may be for an event, in their order, without a look at most others. It leaves out only what its
 * matcher leaves out, which has the last word.
 */
export type HookIndex<Hook> = (event: Event) => readonly Hook[];

/** @param ordered hooks in their order, which the index keeps */
export function indexHooks<Hook extends Indexable>(ordered: readonly Hook[]): HookIndex<Hook> {
  const byEvent = new Map<string, Hook[]>();
  for (const hook of ordered) {
    const known = byEvent.get(hook.hook.event);
    if (known === undefined) byEvent.set(hook.hook.event, [hook]);
    else known.push(hook);
  }
  const byTool = new Map<string, ((tool: string) => readonly Hook[]) | undefined>();
  return ({ event, data: { tool } }) => {
    const hooks = byEvent.get(event);
    if (hooks === undefined) return [];
    if (typeof tool !== 'string') return hooks;
    if (!byTool.has(event)) {
      // A command line sees one event, and to make an index costs more than one look at every hook.
      byTool.set(event, undefined);
      return hooks;
    }
    const find = byTool.get(event) ?? indexTools(hooks);
    byTool.set(event, find);
    return find(tool);
  };
}

/** A pattern of tools, tried once for all hooks that have it. */
interface Pattern {
  readonly matches: (name: string) => boolean;
  /** Places in the order, ascending. */
  readonly places: number[];
}

/** Patterns are found by what they begin with, up to the first star: the whole of those that have none. */
function indexTools<Hook extends Indexable>(hooks: readonly Hook[]): (tool: string) => readonly Hook[] {
  const forAny: number[] = [];
  const patterns = new Map<string, Pattern>();
  const byHead = new Map<string, Pattern[]>();
  hooks.forEach(({ hook: { matcher } }, place) => {
    const readings = matcher.tools?.map(readingsOf) ?? [[]];
    if (readings.some((ways) => ways.length === 0)) {
      forAny.push(place);
      return;
    }
    for (const text of new Set(readings.flat())) {
      const known = patterns.get(text);
      if (known === undefined) {
        const pattern = { matches: compileGlob(text), places: [place] };
        const head = text.split('*', 1).join('');
        patterns.set(text, pattern);
        const beside = byHead.get(head);
        if (beside === undefined) byHead.set(head, [pattern]);
        else beside.push(pattern);
      } else known.places.push(place);
    }
  });
  const headLengths = [...new Set([...byHead.keys()].map((head) => head.length))];
  return (tool) => {
    const ways = readingsOf(tool);
    if (ways.length === 0) return hooks;
    const found = new Set(forAny);
    for (const way of ways) {
      for (const length of headLengths) {
        for (const { matches, places } of byHead.get(way.slice(0, length)) ?? []) {
          if (matches(way)) for (const place of places) found.add(place);
        }
      }
    }
    return [...found].toSorted((one, other) => one - other).flatMap((place) => hooks[place] ?? []);
  };
}
