export * from './causes.ts';
export * from './decision.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './json-value.ts';
export * from './limits.ts';
export * from './outcome.ts';
