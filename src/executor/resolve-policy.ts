import type { Cause, SandboxRequest } from '../protocol/index.ts';
import type { Limits, Policy, ProjectView } from '../sandbox/index.ts';

/** What the operator allows; paths are absolute and real. */
export interface Grant {
  readonly project: ProjectView;
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly network: 'none' | 'host';
  readonly env: Readonly<Record<string, string>>;
  /** Defaults of a pack that asks for nothing, and the most that one may ask for. */
  readonly limits: Limits;
  /** The limits that the operator set: refused, not reported, where they cannot be enforced. */
  readonly explicitLimits: ReadonlySet<string>;
}

/** Where the pack stands. */
export interface PolicySetting {
  readonly projectRoot: string;
  /** What `project: "files"` shows. */
  readonly projectFiles: readonly string[];
  /** The real path of a path as a pack writes it; `undefined` when it does not exist. */
  readonly realPath: (path: string) => string | undefined;
}

export type ResolvedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | {
      readonly ok: false;
      readonly cause: Extract<Cause, 'untrusted' | 'sandbox_setup_failed'>;
      readonly message: string;
    };

const views: readonly ProjectView[] = ['none', 'files', 'read'];
const MiB = 1024 * 1024;

/**
 * The effective policy: what a pack asks for and the operator grants. A request beyond the grant is `untrusted`, with the
 * flags that would grant it: running with less than was asked for would only fail in less clear words. Pure.
 */
export function resolvePolicy(request: SandboxRequest, grant: Grant, setting: PolicySetting): ResolvedPolicy {
  const flags: string[] = [];
  const need = (flag: string, granted: boolean): void => {
    if (!granted) flags.push(flag);
  };
  const project = request.project ?? grant.project;
  need(`--project ${project}`, views.indexOf(project) <= views.indexOf(grant.project));
  const network = request.network ?? 'none';
  need(`--network ${network}`, network === 'none' || grant.network === 'host');
  const names = request.env ?? [];
  for (const name of names) need(`--env ${name}`, Object.hasOwn(grant.env, name));

  const limits: Limits = {
    ...grant.limits,
    ...(request.memoryMb === undefined ? {} : { memoryBytes: request.memoryMb * MiB }),
    ...(request.maxProcesses === undefined ? {} : { maxProcesses: request.maxProcesses }),
    ...(request.maxOutputBytes === undefined ? {} : { maxOutputBytes: request.maxOutputBytes }),
  };
  need(`--memory-mb ${request.memoryMb}`, limits.memoryBytes <= grant.limits.memoryBytes);
  need(`--max-processes ${request.maxProcesses}`, limits.maxProcesses <= grant.limits.maxProcesses);
  need(`--max-output-bytes ${request.maxOutputBytes}`, limits.maxOutputBytes <= grant.limits.maxOutputBytes);

  const missing: string[] = [];
  const paths = (flag: string, asked: readonly string[], granted: readonly string[]): string[] =>
    asked.flatMap((path) => {
      const real = setting.realPath(path);
      if (real === undefined) {
        missing.push(path);
        return [];
      }
      need(
        `${flag} ${path}`,
        granted.some((root) => isWithin(root, real)),
      );
      return [real];
    });
  const projectPaths = grant.project === 'read' ? [setting.projectRoot] : [];
  const readPaths = paths('--read', request.read ?? [], [...grant.readPaths, ...grant.writePaths, ...projectPaths]);
  const writePaths = paths('--write', request.write ?? [], grant.writePaths);

  if (flags.length > 0) {
    return {
      ok: false,
      cause: 'untrusted',
      message: `asks for more than the operator grants; to grant it: ${flags.join(' ')}`,
    };
  }
  if (missing.length > 0) {
    return {
      ok: false,
      cause: 'sandbox_setup_failed',
      message: `asks for paths that do not exist: ${missing.join(', ')}; make them first`,
    };
  }
  const require = (['memoryBytes', 'maxProcesses'] as const).filter(
    (name) => grant.explicitLimits.has(name) || request[name === 'memoryBytes' ? 'memoryMb' : name] !== undefined,
  );
  return {
    ok: true,
    policy: {
      project,
      ...(project === 'none' ? {} : { projectRoot: setting.projectRoot }),
      projectFiles: project === 'files' ? setting.projectFiles : [],
      readPaths,
      writePaths,
      network,
      env: Object.fromEntries(names.map((name) => [name, grant.env[name] ?? ''])),
      limits,
      require,
    },
  };
}

/** Whether the absolute `path` is `root` or lies below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
