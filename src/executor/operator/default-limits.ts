import type { Profile } from '../../protocol/index.ts';
import { bounds, profileDefaults } from '../../protocol/index.ts';
import type { Limits } from '../../sandbox/index.ts';
import type { ExecutorOptions } from '../options.ts';
import { invocationOrigin } from './grant-sources.ts';
import type { Sourced } from './origin.ts';
import { byDefault } from './origin.ts';

/** Limits of one invocation where nobody sets any. */
export function defaultLimits(profile: Profile): Limits {
  return {
    timeoutMs: profileDefaults[profile].timeoutMs,
    maxOutputBytes: bounds.maxOutputBytes.default,
    keepStderrBytes: bounds.keepStderrBytes.default,
    maxStderrBytes: bounds.maxStderrBytes.default,
    memoryBytes: bounds.memoryBytes.default,
    maxProcesses: bounds.maxProcesses.default,
    maxOpenFiles: bounds.maxOpenFiles.default,
    maxFileBytes: bounds.maxFileBytes.default,
    tmpBytes: bounds.tmpBytes.default,
  };
}

/** Limits of one event, each with who set it. */
export type EventLimits = {
  readonly [Name in keyof Required<NonNullable<ExecutorOptions['limits']>>]: Sourced<number>;
};

/** @param longestTimeoutMs a longer limit of one hook is meant: the event's own must not cut it */
export function eventLimits(
  options: Pick<ExecutorOptions, 'limits' | 'origin'>,
  profile: Sourced<Profile>,
  longestTimeoutMs: number,
): EventLimits {
  const { limits = {} } = options;
  const limit = (name: keyof EventLimits, value: number, origin = byDefault): Sourced<number> => {
    const own = limits[name];
    return own === undefined ? { value, origin } : { value: own, origin: invocationOrigin(options, `limits.${name}`) };
  };
  const { totalTimeMs } = profileDefaults[profile.value];
  return {
    maxEnvelopeBytes: limit('maxEnvelopeBytes', bounds.maxEnvelopeBytes.default),
    maxDepth: limit('maxDepth', bounds.maxDepth.default),
    maxHooksPerEvent: limit('maxHooksPerEvent', bounds.maxHooksPerEvent.default),
    totalTimeMs: limit('totalTimeMs', Math.max(totalTimeMs, longestTimeoutMs), profile.origin),
    maxPerMinute: limit('maxPerMinute', 600),
  };
}

/** The limits without who set them. */
export function valuesOf(limits: EventLimits): Readonly<Record<keyof EventLimits, number>> {
  return {
    maxEnvelopeBytes: limits.maxEnvelopeBytes.value,
    maxDepth: limits.maxDepth.value,
    maxHooksPerEvent: limits.maxHooksPerEvent.value,
    totalTimeMs: limits.totalTimeMs.value,
    maxPerMinute: limits.maxPerMinute.value,
  };
}
