export { secretKindOfKey } from './key-rules.ts';
export * from './redact-event.ts';
export * from './redact-text.ts';
export * from './redact-end.ts';
