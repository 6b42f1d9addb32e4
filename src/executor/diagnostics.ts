import { channel } from 'node:diagnostics_channel';
import type { HookName, Outcome, VerdictDocument } from '../protocol/index.ts';

/** Message of `hookcell:invocation:start`. No data of the event is in it. */
export interface InvocationStart {
  readonly hook: HookName;
  readonly event: string;
  readonly eventId?: string;
  readonly mode: 'control' | 'observe';
  readonly depth: number;
}

/** Message of `hookcell:invocation:end`. */
export interface InvocationEnd extends InvocationStart {
  readonly outcome: Outcome;
}

const starts = channel('hookcell:invocation:start');
const ends = channel('hookcell:invocation:end');
const verdicts = channel('hookcell:verdict');

/** Publishes for `node:diagnostics_channel`; costs nothing without a subscriber. */
export const diagnostics = {
  start(message: InvocationStart): void {
    if (starts.hasSubscribers) starts.publish(message);
  },
  end(message: InvocationEnd): void {
    if (ends.hasSubscribers) ends.publish(message);
  },
  verdict(document: VerdictDocument): void {
    if (verdicts.hasSubscribers) verdicts.publish(document);
  },
};
