export type { BackendCapability, Capabilities, Unavailable } from './capabilities.ts';
export { createSandbox, type SandboxOptions } from './create-sandbox.ts';
export type { Limits, LimitName, Overlay, Policy, Program, ProjectView } from './policy.ts';
export type { ResolvedProgram } from './program/problem.ts';
export { resolveProgram, type ProgramRequest } from './program/resolve.ts';
export type { KillReason, RawResult, Timings } from './raw-result.ts';
export type { RunRequest, Sandbox } from './sandbox.ts';
export type { Access, FileRefusal, Refusal, Trace } from './trace/refusal.ts';
export { isCoveredBelow } from './view/secret-names.ts';
