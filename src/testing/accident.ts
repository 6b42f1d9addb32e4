import type { Cause, Expectation } from '../protocol/index.ts';
import type { Actual, Failed } from './actual.ts';

/** Failures that say something of this machine or this moment, and nothing of the hooks. */
const accidents: ReadonlySet<Cause> = new Set(['sandbox_unavailable', 'canceled', 'internal']);

/** Why what came can be neither judged nor made an expectation; a vector that expects just that can be judged. */
export function accidentOf({ failed }: Actual, causes: Expectation['causes'] = {}): Failed | undefined {
  return failed.find(
    ({ cause, hook }) => accidents.has(cause) && !(Object.hasOwn(causes, hook) && causes[hook] === cause),
  );
}

export function accidentText({ hook, cause, message }: Failed): string {
  return `${hook} could not be asked: ${cause}: ${message}`;
}
