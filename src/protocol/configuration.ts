import { z } from 'zod';
import { environmentNamePattern, fixedEnvironmentNames, refusedEnvironmentName } from './environment-names.ts';
import { CommandHandler, Pack, SandboxRequest } from './pack.ts';

const absolute = (what: string) => {
  const error = `expected the absolute path of ${what} (a leading "~" is not expanded)`;
  return z.string({ error }).regex(/^\/[^\u0000-\u001F\u007F]{0,4095}$/u, { error });
};
const isPassable = (name: string): boolean =>
  !refusedEnvironmentName(name) && !fixedEnvironmentNames.has(name) && !name.startsWith('HOOKCELL_');
const GrantedName = z
  .string()
  .regex(environmentNamePattern, {
    error: 'expected the name of an environment variable, without a value: letters, digits and "_", such as "CI"',
    abort: true,
  })
  .refine(isPassable, { error: 'expected a variable that may enter the sandbox; this one never does' });

/**
 * What the operator lets packs ask for. A pack gets what it asks for *and* a grant allows; the limits are also what a
 * hook gets that names none.
 */
export const Grant = z.strictObject({
  project: SandboxRequest.shape.project,
  network: SandboxRequest.shape.network,
  /** Names of host environment variables. */
  env: z.array(GrantedName).max(256).readonly().exactOptional(),
  /** Paths, absolute or relative to the project; with everything below them. One that does not exist grants nothing. */
  read: SandboxRequest.shape.read,
  write: SandboxRequest.shape.write,
  /** JSON Pointers into the envelope: values that hooks may see unredacted, with everything below them. */
  reveal: Pack.shape.reveal,
  /** A `modify` beside a redacted value needs no person. */
  modifyWithSecrets: z.boolean().exactOptional(),
  /** Kept for hosts that let a hook approve in a person's place; nothing in this version acts on it. */
  approve: z.boolean().exactOptional(),
  /** For hooks that name none of their own. */
  timeoutMs: CommandHandler.shape.timeoutMs,
  memoryMb: SandboxRequest.shape.memoryMb,
  maxProcesses: SandboxRequest.shape.maxProcesses,
  maxOutputBytes: SandboxRequest.shape.maxOutputBytes,
});
export type Grant = Readonly<z.infer<typeof Grant>>;

const Grants = z.record(Pack.shape.name, Grant);

/** The operator's configuration file: outside every project, since a hostile repository must not write its own grants. */
export const Configuration = z.strictObject({
  /** For editors; hookcell does not read it. */
  $schema: z.string().max(2048).exactOptional(),
  version: z.literal(1),
  /** Default time limits. */
  profile: z.enum(['oss', 'managed']).exactOptional(),
  /** The wall. What the system's file names here, nobody can loosen to `none`. */
  backend: z.enum(['auto', 'bubblewrap', 'none']).exactOptional(),
  /** `forbid`: HOOKCELL_HOOKS=off is not honoured. One file that forbids is enough. */
  killSwitch: z.enum(['allow', 'forbid']).exactOptional(),
  /** Names of environment variables whose values are redacted wherever they turn up. */
  secrets: z
    .array(z.string().regex(environmentNamePattern, { error: 'expected the name of an environment variable' }))
    .max(256)
    .readonly()
    .exactOptional(),
  /** Pack files, or directories of them, that run in every project, before the project's own. */
  organizationPacks: z.array(absolute('a pack file or a directory of them')).max(256).readonly().exactOptional(),
  /** For all packs. */
  grant: Grant.exactOptional(),
  /** For organization packs, by name. */
  organization: Grants.exactOptional(),
  /** By the project's path: a pack's name alone earns nothing, since a repository chooses its names. */
  projects: z
    .record(
      absolute('a project'),
      z.strictObject({
        grant: Grant.exactOptional(),
        /** By the pack's name. */
        packs: Grants.exactOptional(),
      }),
    )
    .exactOptional(),
});
export type Configuration = Readonly<z.infer<typeof Configuration>>;
