import { homedir, availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { EventDefinition, Finding, Pack } from '../protocol/index.ts';
import { bounds, environmentNamePattern, HookcellError, refusedEnvironmentName } from '../protocol/index.ts';

const whole = (bound: { readonly ceiling: number }, minimum = 1) =>
  z.int().min(minimum).max(Math.min(bound.ceiling, Number.MAX_SAFE_INTEGER));
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
  .regex(environmentNamePattern)
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
  timeoutMs: whole(bounds.timeoutMs).exactOptional(),
  maxOutputBytes: whole(bounds.maxOutputBytes).exactOptional(),
  keepStderrBytes: whole(bounds.keepStderrBytes).exactOptional(),
  maxStderrBytes: whole(bounds.maxStderrBytes).exactOptional(),
  memoryBytes: whole(bounds.memoryBytes, 1024 * 1024).exactOptional(),
  maxProcesses: whole(bounds.maxProcesses).exactOptional(),
  maxOpenFiles: whole(bounds.maxOpenFiles, 16).exactOptional(),
  maxFileBytes: whole(bounds.maxFileBytes, 0).exactOptional(),
  tmpBytes: whole(bounds.tmpBytes, 4096).exactOptional(),
});

/** Bounds of one event. */
const EventLimits = z.strictObject({
  maxEnvelopeBytes: whole(bounds.maxEnvelopeBytes).exactOptional(),
  maxDepth: whole(bounds.maxDepth, 0).exactOptional(),
  maxHooksPerEvent: whole(bounds.maxHooksPerEvent).exactOptional(),
  /** All controlling hooks of one event together. */
  totalTimeMs: whole(bounds.totalTimeMs).exactOptional(),
  /** Invocations of one hook at one event of a run's life (`run:*`, `session:*`, `turn:stop`, …); default 600. */
  maxPerMinute: whole({ ceiling: 1_000_000 }).exactOptional(),
});

/** The operator's grant: a pack gets what it asks for *and* this allows. */
const SandboxOptions = z.strictObject({
  /** `none` runs handlers without a wall; it is never chosen by `auto`. */
  backend: z.enum(['auto', 'bubblewrap', 'none']).exactOptional(),
  project: z.enum(['none', 'files', 'read']).exactOptional(),
  /** Existing paths, relative to the project or absolute. */
  read: z.array(text).exactOptional(),
  write: z.array(text).exactOptional(),
  network: z.enum(['none', 'host']).exactOptional(),
  /** Names and values that packs may ask for; the process's own environment is not read. */
  env: z.record(EnvironmentName, z.string()).exactOptional(),
  limits: InvocationLimits.exactOptional(),
});

const Options = z.strictObject({
  packs: z.union([PackSource, z.array(PackSource)]).exactOptional(),
  agent: text.exactOptional(),
  profile: z.enum(['oss', 'managed']).exactOptional(),
  projectRoot: text.exactOptional(),
  sandbox: SandboxOptions.exactOptional(),
  limits: EventLimits.exactOptional(),
  grants: z
    .strictObject({
      /** JSON Pointers into the envelope that packs may ask to see in clear. */
      reveal: z.array(z.string().startsWith('/hook/data/')).exactOptional(),
      /** Names of packs whose `modify` beside a redacted value needs no person. */
      modifyWithSecrets: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  hostPath: z.string().exactOptional(),
  hostEnvironment: Environment.exactOptional(),
  configuration: z
    .strictObject({ systemDirectory: text.exactOptional(), userDirectory: text.exactOptional() })
    .exactOptional(),
  origin: z.enum(['option', 'flag', 'vector']).exactOptional(),
  secrets: z.record(z.string(), z.string()).exactOptional(),
  logger: z
    .custom<Logger>((value) => typeof member(value, 'warn') === 'function', { error: 'expected a pino logger' })
    .exactOptional(),
  concurrency: whole(bounds.maxConcurrency).exactOptional(),
  events: z
    .array(
      z.custom<EventDefinition>((value) => typeof member(value, 'name') === 'string', {
        error: 'expected what defineEvent returns',
      }),
    )
    .exactOptional(),
  stateDirectory: text.exactOptional(),
  installationKey: z
    .custom<Uint8Array>((value) => value instanceof Uint8Array && value.length >= 16, {
      error: 'expected at least 16 bytes',
    })
    .exactOptional(),
  killSwitch: z.boolean().exactOptional(),
});

/**
 * What `createExecutor` takes. Everything is optional.
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
  const parsed = Options.safeParse(options ?? {});
  if (parsed.success) return withDefaults(parsed.data);
  const findings = parsed.error.issues.map(({ code, message, path }): Finding => ({
    code,
    message,
    file: 'options',
    pointer: `/${path.map(String).join('/')}`,
  }));
  const [first] = findings;
  throw new HookcellError('invalid_options', `invalid options: ${first?.message ?? ''} at ${first?.pointer ?? '/'}`, {
    findings,
  });
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
    const finding = { code: 'no_home', message, file: 'options', pointer: '/stateDirectory' };
    throw new HookcellError('invalid_options', `invalid options: ${message} at /stateDirectory`, {
      findings: [finding],
    });
  }
}
