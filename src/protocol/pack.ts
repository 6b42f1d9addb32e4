import { z } from 'zod';
import { environmentNamePattern } from './environment-names.ts';
import { bounds } from './limits.ts';

/** Every `error` here completes "expected …"; the reader adds what it got, and where. */
const noControl = /^[^\u0000-\u001F\u007F]+$/u;
const atMost = (count: number): string => `at most ${count} characters, none of them a control character`;

const text = (maximum: number, what: string) => {
  const error = `expected ${what}: 1 character or more, ${atMost(maximum)}`;
  return z.string({ error }).min(1, { error }).max(maximum, { error }).regex(noControl, { error });
};
const whole = (minimum: number, maximum: number, unit: string) => {
  const error = `expected a whole number of ${unit} from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
};
const matching = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

const Name = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u,
  'expected a name of 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit',
);
const Path = matching(
  /^(?!~)[^\u0000-\u001F\u007F]{1,4096}$/u,
  'expected a path, absolute or relative to the project (a leading "~" is not expanded)',
);
const Glob = matching(
  /^(?![/!])(?!(?:.*\/)?\.\.(?:\/|$))[^\u0000-\u001F\u007F]{1,1024}$/u,
  'expected a glob relative to the project, without ".." and without a leading "/" or "!"',
);
const Pointer = matching(
  /^\/hook\/data(?:\/(?:[^~/\u0000-\u001F]|~[01])+)+$/u,
  'expected a JSON Pointer to one value of the event, such as "/hook/data/input/token"',
);
const EnvironmentName = matching(
  environmentNamePattern,
  'expected the name of an environment variable, without a value: letters, digits and "_", such as "CI"',
);

/** What a pack or one of its hooks asks of the sandbox; the operator's grant decides what it gets. */
export const SandboxRequest = z.strictObject({
  /** What of the project is visible, read-only. */
  project: z.enum(['none', 'files', 'read']).exactOptional(),
  network: z.enum(['none', 'host']).exactOptional(),
  /** Names of host environment variables to pass on. */
  env: z.array(EnvironmentName).max(256).readonly().exactOptional(),
  /** Further existing paths, read-only. */
  read: z.array(Path).max(256).readonly().exactOptional(),
  /** Existing paths that a handler may change. */
  write: z.array(Path).max(256).readonly().exactOptional(),
  /** In MiB. */
  memoryMb: whole(1, 1_048_576, 'MiB').exactOptional(),
  maxProcesses: whole(1, bounds.maxProcesses.ceiling, 'processes').exactOptional(),
  maxOutputBytes: whole(1, bounds.maxOutputBytes.ceiling, 'bytes').exactOptional(),
});
export type SandboxRequest = Readonly<z.infer<typeof SandboxRequest>>;

/** Which events of its name a hook is for. Patterns are globs; one that matches is enough, and each key that is given must match. */
export const Matcher = z.strictObject({
  tools: z.array(text(256, 'a glob of tool names')).min(1).max(256).readonly().exactOptional(),
  steps: z.array(text(256, 'a glob of step names')).min(1).max(256).readonly().exactOptional(),
});
export type Matcher = Readonly<z.infer<typeof Matcher>>;

const commandError = 'expected a program or shell line, or an array of strings that starts with the program';
const argument = (minimum: number) => {
  const error = 'expected a string of at most 32768 characters without NUL';
  return z
    .string({ error })
    .min(minimum, { error: commandError })
    .max(32_768, { error })
    .regex(/^[^\u0000]*$/u, { error });
};

/** A handler that is a program. */
export const CommandHandler = z.strictObject({
  type: z.literal('command'),
  /** An argv; or a program, when `args` is given or it has no white space and no shell characters; or a line for `/bin/sh -c`. */
  command: z.union(
    [argument(1).regex(/\S/u, { error: commandError }), z.array(argument(0)).min(1).max(1024).readonly()],
    {
      error: commandError,
    },
  ),
  args: z.array(argument(0)).max(1024).readonly().exactOptional(),
  /** In milliseconds; without it the profile's default. */
  timeoutMs: whole(1, bounds.timeoutMs.ceiling, 'milliseconds').exactOptional(),
  /** `exit-code`: exit 0 allows, exit 1 denies, stdout is ignored. Default `json`. */
  decide: z.enum(['json', 'exit-code']).exactOptional(),
  /** What no output with exit 0 means. Default `fail`. */
  onEmpty: z.enum(['fail', 'no-opinion']).exactOptional(),
  /** `ascii` escapes every non-ASCII character of the envelope as `\uXXXX`. Default `utf8`. */
  stdin: z.enum(['utf8', 'ascii']).exactOptional(),
});
export type CommandHandler = Readonly<z.infer<typeof CommandHandler>>;

/** Bounds of a termination gate. Checked, but not available yet: a pack that has one does not load. */
export const TerminationGate = z.strictObject({
  maxCycles: whole(1, 20, 'cycles'),
  maxDurationMs: whole(1, 3_600_000, 'milliseconds').exactOptional(),
  maxTokens: whole(1, 10_000_000, 'tokens').exactOptional(),
});
export type TerminationGate = Readonly<z.infer<typeof TerminationGate>>;

export const Hook = z.strictObject({
  id: Name,
  event: text(128, 'the name of an event'),
  /** Default `control`; `observe` at events that only notify. */
  mode: z.enum(['control', 'observe']).exactOptional(),
  /** Lower runs first. Default 100. */
  priority: whole(-1_000_000, 1_000_000, 'steps').exactOptional(),
  matcher: Matcher.exactOptional(),
  /** What a failure to ask means. Default `block`. */
  onFailure: z.enum(['block', 'continue']).exactOptional(),
  terminationGate: TerminationGate.exactOptional(),
  /** Keys here replace the pack's of the same name. */
  sandbox: SandboxRequest.exactOptional(),
  handler: CommandHandler,
});
export type Hook = Readonly<z.infer<typeof Hook>>;

/** A pack file, as written (PROTOCOL section 6). */
export const Pack = z.strictObject({
  /** For editors; hookcell does not read it. */
  $schema: z.string().max(2048).exactOptional(),
  version: z.literal(1),
  name: Name,
  description: z.string().max(2048).exactOptional(),
  /** Blocks, where the kill switch turned hooks off. */
  required: z.boolean().exactOptional(),
  /** Globs of project files whose content the trust in this pack pins. */
  files: z.array(Glob).max(1024).readonly().exactOptional(),
  sandbox: SandboxRequest.exactOptional(),
  /** JSON Pointers into the envelope: values that the hooks must see unredacted. The operator has to grant each. */
  reveal: z.array(Pointer).max(256).readonly().exactOptional(),
  hooks: z.array(Hook).max(1024).readonly(),
});
export type Pack = Readonly<z.infer<typeof Pack>>;

/** Handler types that the format knows and this version cannot run. */
export const laterHandlerTypes: ReadonlySet<string> = new Set([
  'http',
  'script',
  'tool',
  'prompt',
  'agent',
  'mcp_tool',
]);
