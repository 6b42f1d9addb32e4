import { resolve as resolvePath } from 'node:path';
import type { Cause, SandboxRequest } from '../protocol/index.ts';
import type { LimitName, Limits, Policy } from '../sandbox/index.ts';
import { isCoveredBelow } from '../sandbox/index.ts';
import type { EffectiveValue } from './asked.ts';
import { Asked } from './asked.ts';
import type { Grantor } from './grant-remedy.ts';
import { grantRemedy } from './grant-remedy.ts';
import type { EffectiveGrant } from './operator/effective-grant.ts';
import { projectViews } from './operator/effective-grant.ts';
import type { Origin, Sourced } from './operator/origin.ts';
import { byDefault } from './operator/origin.ts';
import { isWithin } from './within.ts';

/** What a hook asks for, its pack's reveals included. */
export type Request = SandboxRequest & { readonly reveal?: readonly string[]; readonly timeoutMs?: number | undefined };

/** Where the pack stands. */
export interface PolicySetting {
  readonly projectRoot: string;
  /** What `project: "files"` shows. */
  readonly projectFiles: readonly string[];
  /** The real path of a path as a pack writes it; `undefined` when it does not exist. */
  readonly realPath: (path: string) => string | undefined;
  /** Values of the host's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The pack's file. */
  readonly file: string;
  /** Where a grant for this pack would be written. */
  readonly grantor: Grantor;
}

export type ResolvedPolicy =
  | { readonly ok: true; readonly policy: Policy; readonly effective: readonly EffectiveValue[] }
  | {
      readonly ok: false;
      readonly cause: Extract<Cause, 'untrusted' | 'sandbox_setup_failed'>;
      readonly message: string;
    };

const MiB = 1024 * 1024;

/**
 * The effective policy: what a pack asks for and the operator grants. A request beyond the grant is `untrusted`, with what
 * would grant it: running with less than was asked for would only fail in less clear words. Pure.
 */
export function resolvePolicy(request: Request, grant: EffectiveGrant, setting: PolicySetting): ResolvedPolicy {
  const asked = new Asked({ from: 'pack request', at: setting.file });
  const project = asked.choice('project', request.project, grant.project, (wanted) => isWithinView(wanted, grant));
  const network = asked.choice(
    'network',
    request.network,
    { ...grant.network, value: 'none', ...(request.network === undefined ? { origin: byDefault } : {}) },
    (wanted) => wanted === 'none' || grant.network.value === 'host',
    request.network === 'none' ? byDefault : grant.network.origin,
  );
  const names = request.env ?? [];
  for (const name of names)
    asked.entry(
      'env',
      name,
      name,
      findBy(grant.env, (value) => value === name),
    );
  for (const pointer of request.reveal ?? [])
    asked.entry(
      'reveal',
      pointer,
      pointer,
      findBy(grant.reveal, (root) => isWithin(root, pointer)),
    );
  const limits = askLimits(asked, request, grant);

  const missing: string[] = [];
  const paths = (key: 'read' | 'write', list: readonly string[] = []): string[] =>
    list.flatMap((path) => {
      const real = setting.realPath(path);
      if (real === undefined) {
        missing.push(path);
        // Asked for as it is written, so that whoever makes it is not then told that it is not granted.
        const meant = resolvePath(setting.projectRoot, path);
        asked.entry(key, path, meant, grantOfPath(key, meant, grant, setting.projectRoot));
        return [];
      }
      asked.entry(key, path, real, grantOfPath(key, real, grant, setting.projectRoot));
      return [real];
    });
  const readPaths = paths('read', request.read);
  const writePaths = paths('write', request.write);

  const absent = `asks for paths that do not exist: ${[...new Set(missing)].join(', ')}; make them first`;
  if (asked.beyond.length > 0) {
    const remedy = grantRemedy(asked.beyond, setting.grantor);
    return { ok: false, cause: 'untrusted', message: missing.length > 0 ? `${absent}; ${remedy}` : remedy };
  }
  if (missing.length > 0) return { ok: false, cause: 'sandbox_setup_failed', message: absent };
  asked.granted('modifyWithSecrets', grant.modifyWithSecrets);
  asked.granted('approve', grant.approve);
  const require = (['memoryBytes', 'maxProcesses'] as const).filter(
    (name) =>
      grant.limits[name].origin.from !== 'default' || request[name === 'memoryBytes' ? 'memoryMb' : name] !== undefined,
  );
  const policy: Policy = {
    project,
    ...(project === 'none' ? {} : { projectRoot: setting.projectRoot }),
    projectFiles: project === 'files' ? setting.projectFiles : [],
    readPaths,
    writePaths,
    network,
    env: valuesOf(names, setting.environment),
    limits,
    require,
  };
  return { ok: true, policy, effective: asked.values };
}

function askLimits(asked: Asked, request: Request, { limits }: EffectiveGrant): Limits {
  const { memoryMb, maxProcesses, maxOutputBytes } = request;
  const fixed = (name: LimitName): number => {
    asked.granted(name, limits[name]);
    return limits[name].value;
  };
  return {
    timeoutMs: asked.timeout(request.timeoutMs, limits.timeoutMs),
    memoryBytes: asked.limit('memoryBytes', 'memoryMb', memoryMb, limits.memoryBytes, MiB),
    maxProcesses: asked.limit('maxProcesses', 'maxProcesses', maxProcesses, limits.maxProcesses),
    maxOutputBytes: asked.limit('maxOutputBytes', 'maxOutputBytes', maxOutputBytes, limits.maxOutputBytes),
    keepStderrBytes: fixed('keepStderrBytes'),
    maxStderrBytes: fixed('maxStderrBytes'),
    maxOpenFiles: fixed('maxOpenFiles'),
    maxFileBytes: fixed('maxFileBytes'),
    tmpBytes: fixed('tmpBytes'),
  };
}

function isWithinView(wanted: Policy['project'], { project }: EffectiveGrant): boolean {
  return projectViews.indexOf(wanted) <= projectViews.indexOf(project.value);
}

/**
 * Who lets a real path be read or changed: what may be changed may be read, and so may a project that is seen. A file of
 * secrets is granted by its own path alone, since naming one in a policy takes its cover away.
 */
function grantOfPath(
  key: 'read' | 'write',
  real: string,
  grant: EffectiveGrant,
  projectRoot: string,
): Origin | undefined {
  const isBelow = (root: string): boolean => isWithin(root, real) && !isCoveredBelow(root, real);
  const writable = findBy(grant.writePaths, isBelow);
  if (key === 'write' || writable !== undefined) return writable;
  const readable = findBy(grant.readPaths, isBelow);
  if (readable !== undefined) return readable;
  return grant.project.value === 'read' && isBelow(projectRoot) ? grant.project.origin : undefined;
}

function findBy(list: readonly Sourced<string>[], matches: (value: string) => boolean): Origin | undefined {
  return list.find(({ value }) => matches(value))?.origin;
}

/** A name that is granted and not set in the host's environment is not set inside either. */
function valuesOf(names: readonly string[], environment: PolicySetting['environment']): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
