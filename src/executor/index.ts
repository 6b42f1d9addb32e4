export { createExecutor } from './create-executor.ts';
export type { InvocationEnd, InvocationStart } from './diagnostics.ts';
export type { DispatchOptions, Executor } from './executor.ts';
export type { ExplainedHook, Explanation } from './explain.ts';
export type { ExecutorOptions } from './options.ts';
export type { EventInput } from './read-dispatched.ts';
export type { Verdict, VerdictData } from './verdict.ts';
export { assertAllowed, HookDeniedError, stringifyVerdict, verdictToJson } from './verdict.ts';
