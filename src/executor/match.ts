import type { Event, EventDefinition, Matcher } from '../protocol/index.ts';
import { compileGlob } from './glob.ts';

/** Says whether a hook is for an event of its name, and if not, why not. */
export type MatchResult = { readonly matches: true } | { readonly matches: false; readonly why: string };

/** A hook's matcher, prepared once. */
export type CompiledMatcher = (event: Event, definition: EventDefinition) => MatchResult;

const yes: MatchResult = { matches: true };

/**
 * Prepares a matcher. Every key that is given must match; one pattern of a key is enough. Names are compared without
 * regard to case: hosts spell the same tool `write` and `Write`, and a guard that misses one is open.
 *
 * A hook that names tools runs on an event whose definition names a tool but whose data does not: what cannot be
 * told apart is guarded. A hook that names steps runs only inside a step.
 */
export function compileMatcher(matcher: Matcher | undefined): CompiledMatcher {
  const tools = compileGlobs(matcher?.tools);
  const steps = compileGlobs(matcher?.steps);
  return (event, definition) => {
    const { tool } = event.data;
    if (tools !== undefined) {
      if (typeof tool === 'string') {
        if (!tools(tool)) return no(() => `tool ${JSON.stringify(tool)} is none of ${show(matcher?.tools)}`);
      } else if (!definition.namesTool)
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

function compileGlobs(patterns: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  if (patterns === undefined) return undefined;
  const globs = patterns.map((pattern) => compileGlob(fold(pattern)));
  return (name) => {
    const folded = fold(name);
    return globs.some((matches) => matches(folded));
  };
}

function fold(name: string): string {
  return name.toLowerCase();
}
