import { z } from 'zod';
import { JsonObject } from './json-value.ts';

const Reason = z.string();
/** Feedback is shown to the model: text, or a JSON object of findings. */
const Feedback = z.union([z.string(), JsonObject], { error: 'expected text or a JSON object' });

export const Allow = z.strictObject({ action: z.literal('allow'), reason: Reason.optional() });
export const Deny = z.strictObject({
  action: z.literal('deny'),
  reason: Reason.optional(),
  feedback: Feedback.optional(),
});
export const Ask = z.strictObject({ action: z.literal('ask'), reason: Reason.optional() });
export const Defer = z.strictObject({ action: z.literal('defer'), reason: Reason.optional() });
export const Modify = z.strictObject({
  action: z.literal('modify'),
  data: JsonObject,
  reason: Reason.optional(),
});
export const Stop = z.strictObject({
  action: z.literal('stop'),
  reason: Reason.optional(),
  feedback: Feedback.optional(),
});
export const Continue = z.strictObject({ action: z.literal('continue'), feedback: Feedback });

/** What a handler says: one of seven actions, each with only its own keys. */
export const Decision = z.discriminatedUnion('action', [Allow, Deny, Ask, Defer, Modify, Stop, Continue]);
export type Decision = z.infer<typeof Decision>;
export type Action = Decision['action'];

/** The document that a handler prints: `{ "decision": { "action": … } }`. */
export const Answer = z.strictObject({ decision: Decision });
export type Answer = z.infer<typeof Answer>;
