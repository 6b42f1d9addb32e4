import { homedir, availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { EventDefinition, Pack } from '../protocol/index.ts';
import { bounds, environmentNamePattern, refusedEnvironmentName } from '../protocol/index.ts';
import { invalidOptions, readOptions } from './option-findings.ts';

const whole = (bound: { readonly ceiling: number }, minimum = 1) => {
  const maximum = Math.min(bound.ceiling, Number.MAX_SAFE_INTEGER);
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
};
const text = z
  .string()
  .min(1)
  .regex(/^[^\0]*$/u, { error: 'expected a string without NUL' });
const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
const PackSource = z.union([
  text,
  z.custom<Pack>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'expected a path or a pack object',
  }),
]);
const EnvironmentName = z
  .string()
  .regex(environmentNamePattern, { error: 'expected the name of an environment variable' })
  .refine((name) => !refusedEnvironmentName(name), {
    error: 'this variable never enters the sandbox: it can change what code runs there',
  });

/** No `z.record`: that takes plain objects alone, and `process.env` is none. */
const Environment = z.custom<Readonly<Record<string, string | undefined>>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item) => item === undefined || typeof item === 'string'),
  { error: 'expected names and values of environment variables, such as process.env' },
);

/** Bounds of one invocation, in the units of their names; a value set here is also what packs may ask for at most. */
const InvocationLimits = z.strictObject({
  /** For handlers that name none of their own; default 5 000, with profile `managed` 60 000. */
  timeoutMs: whole(bounds.timeoutMs).optional(),
  maxOutputBytes: whole(bounds.maxOutputBytes).optional(),
  keepStderrBytes: whole(bounds.keepStderrBytes).optional(),
  maxStderrBytes: whole(bounds.maxStderrBytes).optional(),
  memoryBytes: whole(bounds.memoryBytes, 1024 * 1024).optional(),
  maxProcesses: whole(bounds.maxProcesses).optional(),
  maxOpenFiles: whole(bounds.maxOpenFiles, 16).optional(),
  maxFileBytes: whole(bounds.maxFileBytes, 0).optional(),
  tmpBytes: whole(bounds.tmpBytes, 4096).optional(),
});

/** Bounds of one event. */
const EventLimits = z.strictObject({
  maxEnvelopeBytes: whole(bounds.maxEnvelopeBytes).optional(),
  maxDepth: whole(bounds.maxDepth, 0).optional(),
  maxHooksPerEvent: whole(bounds.maxHooksPerEvent).optional(),
  /** All controlling hooks of one event together. */
  totalTimeMs: whole(bounds.totalTimeMs).optional(),
  /** Invocations of one hook at one event of a run's life (`run:*`, `session:*`, `turn:stop`, …); default 600. */
  maxPerMinute: whole({ ceiling: 1_000_000 }).optional(),
});

/** The operator's grant: a pack gets what it asks for *and* this allows. */
const SandboxOptions = z.strictObject({
  /** `none` runs handlers without a wall; it is never chosen by `auto`. */
  backend: z.enum(['auto', 'bubblewrap', 'none']).optional(),
  project: z.enum(['none', 'files', 'read']).optional(),
  /** Existing paths, relative to the project or absolute. */
  read: z.array(text).optional(),
  write: z.array(text).optional(),
  network: z.enum(['none', 'host']).optional(),
  /** Names and values that packs may ask for; the process's own environment is not read. */
  env: z.record(EnvironmentName, z.string().optional()).optional(),
  limits: InvocationLimits.optional(),
});

const Options = z.strictObject({
  packs: z
    .union([PackSource, z.array(PackSource)], { error: 'expected a path, a pack object, or an array of these' })
    .optional(),
  agent: text.optional(),
  profile: z.enum(['oss', 'managed']).optional(),
  projectRoot: text.optional(),
  sandbox: SandboxOptions.optional(),
  limits: EventLimits.optional(),
  grants: z
    .strictObject({
      /** JSON Pointers into the envelope that packs may ask to see in clear. */
      reveal: z
        .array(z.string().startsWith('/hook/data/', { error: 'expected a JSON Pointer that starts with /hook/data/' }))
        .optional(),
      /** Names of packs whose `modify` beside a redacted value needs no person. */
      modifyWithSecrets: z.array(z.string()).optional(),
    })
    .optional(),
  hostPath: z.string().optional(),
  hostEnvironment: Environment.optional(),
  configuration: z.strictObject({ systemDirectory: text.optional(), userDirectory: text.exactOptional() }).optional(),
  origin: z.enum(['option', 'flag', 'vector']).optional(),
  secrets: z.record(z.string(), z.string().optional()).optional(),
  logger: z
    .custom<Logger>((value) => ['debug', 'info', 'warn'].every((level) => typeof member(value, level) === 'function'), {
      error: 'expected a pino logger, or an object with the methods debug, info and warn',
    })
    .optional(),
  concurrency: whole(bounds.maxConcurrency).optional(),
  events: z
    .array(
      z.custom<EventDefinition>((value) => typeof member(value, 'name') === 'string', {
        error: 'expected what defineEvent returns',
      }),
    )
    .optional(),
  stateDirectory: text.optional(),
  installationKey: z
    .custom<Uint8Array>((value) => value instanceof Uint8Array && value.length >= 16, {
      error: 'expected at least 16 bytes',
    })
    .optional(),
  killSwitch: z.boolean().optional(),
});

/**
 * What `createExecutor` takes. Everything is optional; `undefined` stands for what is not given.
 *
 * - `packs`: files, directories of `*.json`, or pack objects. Trusted by being named here. Without it, packs are looked for
 *   in `projectRoot` and above it; those that nobody accepted are not run, and guard events are blocked.
 * - `agent`: an `agent.json` that selects packs by name.
 * - `configuration`: directories of the operator's `config.json`: `/etc/hookcell` (and its `packs/`, which run everywhere) and
 *   `~/.config/hookcell`. Nothing is read that is not named here.
 * - `sandbox`: the operator's grant. Default: project read, nothing else.
 * - `hostPath`: a `PATH` for interpreters outside `/usr`.
 * - `hostEnvironment`: where the values of variables come from whose names the configuration grants or calls secret.
 * - `origin`: how messages call these options: a command line says `flag`, the runner of vectors `vector`.
 * - `secrets`: exact values to redact, by the name of where they come from.
 * - `stateDirectory`: where the installation key lives (default `~/.local/state/hookcell`), or give `installationKey`.
 * - `killSwitch`: hooks do not run; this is recorded, and packs marked `required` block.
 */
export type ExecutorOptions = Readonly<z.infer<typeof Options>>;

/** Options with all defaults applied. */
export type ResolvedOptions = ReturnType<typeof withDefaults>;

/** @throws {HookcellError} `invalid_options`, with every finding. */
export function resolveOptions(options: unknown): ResolvedOptions {
  return withDefaults(readOptions(Options, options ?? {}, 'options'));
}

function withDefaults(options: ExecutorOptions) {
  return {
    ...options,
    packs: options.packs === undefined || Array.isArray(options.packs) ? options.packs : [options.packs],
    projectRoot: options.projectRoot ?? process.cwd(),
    stateDirectory: options.stateDirectory ?? ownStateDirectory(),
    concurrency: options.concurrency ?? Math.min(availableParallelism() * 2, bounds.maxConcurrency.ceiling),
  };
}

function ownStateDirectory(): string {
  try {
    return join(homedir(), '.local', 'state', 'hookcell');
  } catch {
    const message =
      'this user has no home directory: it is not in the user database, and HOME is not set; name a directory';
    throw invalidOptions([{ code: 'no_home', message, file: 'options', pointer: '/stateDirectory' }], 'options');
  }
}
