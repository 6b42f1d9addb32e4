import { z } from 'zod';
import { causes } from './causes.ts';
import { environmentNamePattern, refusedEnvironmentName } from './environment-names.ts';
import { Event } from './event.ts';
import { JsonObject } from './json-value.ts';
import { bounds } from './limits.ts';
import { Pack } from './pack.ts';

const Path = z
  .string({ error: 'expected a path, absolute or relative to the vector' })
  .regex(/^(?!~)[^\u0000-\u001F\u007F]{1,4096}$/u, {
    error: 'expected a path, absolute or relative to the vector (a leading "~" is not expanded)',
  });

const hookError = 'expected the name of a hook as "PACK/HOOK", such as "quality/protect-writes"';
const HookText = z
  .string({ error: hookError })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u, { error: hookError });

const whole = (maximum: number, unit: string) => {
  const error = `expected a whole number of ${unit} from 1 to ${maximum}`;
  return z.int({ error }).min(1, { error }).max(maximum, { error });
};

const EnvironmentName = z
  .string()
  .regex(environmentNamePattern, { error: 'expected the name of an environment variable, such as "CI"' })
  .refine((name) => !refusedEnvironmentName(name), {
    error: 'expected another variable: this one never enters the sandbox, it can change what code runs there',
  });

/**
 * What the operator grants in this vector: the flags of `hookcell run` in JSON spelling. `env` gives values too, so that a
 * vector does not depend on the machine. Network access, paths to write and paths outside of the project need the word of
 * whoever runs the vectors as well: a vector comes from the repository.
 */
export const VectorOptions = z.strictObject({
  /** `agent.json`, whose `hooks` select packs by name. */
  agent: Path.exactOptional(),
  profile: z.enum(['oss', 'managed']).exactOptional(),
  project: z.enum(['none', 'files', 'read']).exactOptional(),
  network: z.enum(['none', 'host']).exactOptional(),
  env: z.record(EnvironmentName, z.string().max(32_768)).exactOptional(),
  read: z.array(Path).max(256).readonly().exactOptional(),
  write: z.array(Path).max(256).readonly().exactOptional(),
  timeoutMs: whole(bounds.timeoutMs.ceiling, 'milliseconds').exactOptional(),
  memoryMb: whole(1_048_576, 'MiB').exactOptional(),
  maxProcesses: whole(bounds.maxProcesses.ceiling, 'processes').exactOptional(),
  maxOutputBytes: whole(bounds.maxOutputBytes.ceiling, 'bytes').exactOptional(),
  /** JSON Pointers that packs may ask to see in clear. */
  reveal: z.array(z.string().startsWith('/hook/data/')).max(256).readonly().exactOptional(),
  /** Names of packs whose `modify` beside a redacted value needs no person. */
  modifyWithSecrets: z.array(Pack.shape.name).max(256).readonly().exactOptional(),
});
export type VectorOptions = Readonly<z.infer<typeof VectorOptions>>;

const Reason = z.union(
  [
    z.string(),
    // The empty text stands in every reason.
    z.strictObject({ contains: z.string().min(1) }),
  ],
  { error: 'expected the whole reason, or { "contains": "a part of it" }' },
);

/** What must come of the event. */
export const Expectation = z.strictObject({
  action: z.enum(['allow', 'modify', 'ask', 'defer', 'deny', 'stop', 'continue']),
  /** Not compared when absent. */
  reason: Reason.exactOptional(),
  /** Not compared when absent. */
  feedback: z.union([z.string(), JsonObject], { error: 'expected feedback: a text or a JSON object' }).exactOptional(),
  /** The whole data of the event after the hooks. Absent: no hook may have changed it. */
  data: z.exactOptional(JsonObject),
  /** Which hooks were asked, in order, observing ones last. Absent: at least one, whichever. */
  hooks: z.array(HookText).max(512).readonly().exactOptional(),
  /** Which hooks could not be asked, and why. Absent: none, so that a broken hook never passes for one that denies. */
  causes: z.record(HookText, z.enum(causes)).exactOptional(),
  /** What a hook without `reveal` sees redacted of this event. Not compared when absent. */
  redacted: z
    .array(z.strictObject({ pointer: z.string(), kind: z.string() }))
    .max(1024)
    .readonly()
    .exactOptional(),
});
export type Expectation = Readonly<z.infer<typeof Expectation>>;

/** A golden vector, `*.vector.json`: an event and what must come of it. Paths are relative to the vector. */
export const Vector = z.strictObject({
  /** For editors; hookcell does not read it. */
  $schema: z.string().max(2048).exactOptional(),
  version: z.literal(1),
  description: z.string().max(2048).exactOptional(),
  event: Event,
  /** Pack files, or directories of them. Absent: the nearest `.hookcell/hooks` or `packs` up the tree. */
  packs: z
    .union([Path, z.array(Path).min(1).max(256).readonly()], { error: 'expected a path or an array of paths' })
    .exactOptional(),
  /** The project of the hooks. Absent: the nearest directory up the tree that holds packs, else the vector's own. */
  project: Path.exactOptional(),
  options: VectorOptions.exactOptional(),
  expect: Expectation,
});
export type Vector = Readonly<z.infer<typeof Vector>>;
