import type { Event, EventDefinition, Matcher } from '../protocol/index.ts';
import { compileGlob } from '../protocol/index.ts';

import { readingsOf } from './readings.ts';

/** Says whether a hook is for an event of its name, and if not, why not. */
export type MatchResult = { readonly matches: true } | { readonly matches: false; readonly why: string };

/** A hook's matcher, prepared once. */
export type CompiledMatcher = (event: Event, definition: EventDefinition) => MatchResult;

const yes: MatchResult = { matches: true };

/**
 * Prepares a matcher. Every key that is given must match; one pattern of a key is enough. Names are compared by what
 * they read as, see {@link readingsOf}.
 *
 * What cannot be told apart is guarded: a hook that names tools runs on a name without a reading, on a tool that is no
 * text, and where the definition names a tool but the data does not. A hook that names steps runs only inside a step.
 */
export function compileMatcher(matcher: Matcher | undefined): CompiledMatcher {
  const tools = compilePatterns(matcher?.tools);
  const steps = compilePatterns(matcher?.steps);
  return (event, definition) => {
    const { tool } = event.data;
    if (tools !== undefined) {
      if (typeof tool === 'string') {
        if (!tools(tool)) return no(() => `tool ${JSON.stringify(tool)} is none of ${show(matcher?.tools)}`);
      } else if ((tool === undefined || tool === null) && !definition.namesTool)
        return no(() => `${event.event} names no tool, the matcher wants ${show(matcher?.tools)}`);
    }
    if (steps !== undefined) {
      const step = event.context?.step;
      if (step === undefined) return no(() => `the event is in no step, the matcher wants ${show(matcher?.steps)}`);
      if (!steps(step)) return no(() => `step ${JSON.stringify(step)} is none of ${show(matcher?.steps)}`);
    }
    return yes;
  };
}

/** The reason is put into words only for those who read it: most hooks do not match most events. */
function no(say: () => string): MatchResult {
  return {
    matches: false,
    get why() {
      return say();
    },
  };
}

function show(patterns: readonly string[] | undefined): string {
  return (patterns ?? []).join(', ');
}

function compilePatterns(patterns: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  if (patterns === undefined) return undefined;
  let globs: readonly ((name: string) => boolean)[] | undefined;
  return (name) => {
    // When a name comes: most hooks of a command line are for other events than its one.
    globs ??= patterns.map(readingsOf).flatMap(compileReadings);
    const ways = readingsOf(name);
    return ways.length === 0 || ways.some((way) => globs?.some((matches) => matches(way)));
  };
}

/** A pattern that cannot be read might have meant any name. */
function compileReadings(ways: readonly string[]): ((name: string) => boolean)[] {
  return ways.length === 0 ? [() => true] : ways.map(compileGlob);
}
