const windowMs = 60_000;

/** Catches loops that go through new agent runs, where `depth` starts again at 0. */
export interface RateGuard {
  /** Counts one invocation at `nowMs` (any steady clock); false when it is one too many. */
  admit(hook: string, event: string, nowMs: number): boolean;
}

/**
 * A sliding window of a minute for each (hook, event). A refused invocation is not counted, so a loop that was cut
 * off does not lock the hook for longer than a minute.
 */
export function createRateGuard(maxPerMinute: number): RateGuard {
  const admitted = new Map<string, number[]>();
  return {
    admit(hook, event, nowMs) {
      const key = `${hook} ${event}`;
      const times = (admitted.get(key) ?? []).filter((time) => time > nowMs - windowMs);
      const room = times.length < maxPerMinute;
      if (room) times.push(nowMs);
      admitted.set(key, times);
      return room;
    },
  };
}

const lifecycle = ['engine:', 'session:', 'run:', 'subagent:'];

/** True for the events that a new run or a turn's end brings: a loop through new runs passes one of them each time. */
export function isRateGuarded(event: string): boolean {
  return event === 'turn:stop' || event === 'prompt:submit' || lifecycle.some((prefix) => event.startsWith(prefix));
}
