export { defineHook, matchGlob } from './authoring/index.ts';
export type { AnswerOf, DataOf, DecisionOf, EnvelopeOf, EventName, HookHandler, Json } from './authoring/index.ts';
export * from './executor/index.ts';
export { defineEvent, HookcellError } from './protocol/index.ts';
export type {
  Cause,
  Decision,
  ErrorCode,
  EventContext,
  EventDefinition,
  EventOptions,
  FailedOpen,
  Finding,
  HookName,
  JsonObject,
  JsonValue,
  Outcome,
  Pack,
  VerdictDocument,
} from './protocol/index.ts';
export type { Capabilities } from './sandbox/index.ts';
