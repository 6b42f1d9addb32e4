import type { EventDefinition } from './events.ts';
import { defaultMode, eventDefinition, events } from './events.ts';
import type { JsonPath, Remark } from './json-document.ts';
import type { Hook, Pack } from './pack.ts';
import { quote } from './schema-remarks.ts';

/** Shortest time-limit that is not taken for a mistake of unit, in milliseconds. */
const plausibleTimeoutMs = 100;

/** What loads and probably does not do what its author means; above all hooks that would never run. */
export function packWarnings(pack: Pack, knownEvents: ReadonlyMap<string, EventDefinition> | undefined): Remark[] {
  const remarks = pack.hooks.flatMap((hook, index) => hookWarnings(hook, ['hooks', index], knownEvents));
  if (pack.hooks.length === 0)
    remarks.push({ code: 'no_hooks', message: 'this pack has no hooks: it checks nothing', path: ['hooks'] });
  return remarks;
}

function hookWarnings(
  hook: Hook,
  path: JsonPath,
  knownEvents: ReadonlyMap<string, EventDefinition> | undefined,
): Remark[] {
  const remarks: Remark[] = patternWarnings(hook, path);
  const warn = (code: string, message: string, ...at: (string | number)[]): void => {
    remarks.push({ code, message, path: [...path, ...at] });
  };
  const definition = eventDefinition(hook.event, knownEvents);
  const mode = hook.mode ?? (definition === undefined ? 'control' : defaultMode(definition));
  const { handler, matcher } = hook;
  if (definition !== undefined && hook.mode === 'control' && defaultMode(definition) === 'observe') {
    warn(
      'no_effect',
      `${hook.event} only notifies: a controlling hook there may answer "allow" or "stop" and nothing else`,
      'mode',
    );
  }
  if (mode === 'observe' && hook.onFailure === 'block') {
    warn(
      'no_effect',
      'an observing hook blocks nothing: "onFailure" has no effect; set "mode" to "control" to block',
      'onFailure',
    );
  }
  if (
    matcher?.tools !== undefined &&
    definition !== undefined &&
    !definition.namesTool &&
    // What the data of a host's own event holds is known to the host alone.
    events.has(hook.event)
  ) {
    warn(
      'never_matches',
      `the data of ${hook.event} names no tool: with "tools" this hook never runs`,
      'matcher',
      'tools',
    );
  }
  if (handler.timeoutMs !== undefined && handler.timeoutMs < plausibleTimeoutMs) {
    const meant = handler.timeoutMs * 1000;
    warn(
      'short_timeout',
      `${handler.timeoutMs} ms is about the start of a process; the unit is milliseconds (${handler.timeoutMs} s is ${meant})`,
      'handler',
      'timeoutMs',
    );
  }
  if (handler.decide === 'exit-code' && handler.onEmpty !== undefined) {
    warn('no_effect', '"onEmpty" has no effect with "decide": "exit-code", which ignores stdout', 'handler', 'onEmpty');
  }
  if (mode === 'control' && handler.onEmpty === 'no-opinion') {
    warn(
      'silence_passes',
      'with "onEmpty": "no-opinion" a script that prints nothing (a crash that exits 0, a file that only exports a function) lets the event pass',
      'handler',
      'onEmpty',
    );
  }
  return remarks;
}

/** Patterns of other tools that are legal globs and match nothing: alternatives with `|` and the `.*` of a regular expression. */
function patternWarnings({ matcher }: Hook, path: JsonPath): Remark[] {
  const lists = { tools: matcher?.tools ?? [], steps: matcher?.steps ?? [] };
  return Object.entries(lists).flatMap(([key, patterns]) =>
    patterns.flatMap((pattern, index): Remark[] => {
      const message = patternWarning(pattern);
      return message === undefined ? [] : [{ code: 'never_matches', message, path: [...path, 'matcher', key, index] }];
    }),
  );
}

function patternWarning(pattern: string): string | undefined {
  if (/[|,]/u.test(pattern) && !/[({[]/u.test(pattern)) {
    const parts = pattern.split(/[|,]/u).map((part) => quote(part.trim()));
    return `${quote(pattern)} is one glob and matches no such name; write one entry each: [${parts.join(', ')}]`;
  }
  if (pattern.includes('.*') || /^\^|\$$/u.test(pattern)) {
    return `${quote(pattern)} looks like a regular expression, but patterns are globs: "*" stands for any characters`;
  }
  return undefined;
}
