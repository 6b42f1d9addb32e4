export type { BackendCapability, Capabilities, Unavailable } from './capabilities.ts';
export { createSandbox, type SandboxOptions } from './create-sandbox.ts';
export type { Limits, LimitName, Overlay, Policy, Program, ProjectView } from './policy.ts';
export type { ResolvedProgram } from './program/problem.ts';
export { resolveProgram, type ProgramRequest } from './program/resolve.ts';
export type { KillReason, RawResult } from './raw-result.ts';
export type { RunRequest, Sandbox } from './sandbox.ts';
export { isSecretName } from './view/secret-names.ts';
