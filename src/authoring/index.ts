export { matchGlob } from '../protocol/glob.ts';
export { defineHook } from './define-hook.ts';
export type { AnswerOf, DataOf, DecisionOf, EnvelopeOf, EventName, HookHandler, Json } from './types.ts';
