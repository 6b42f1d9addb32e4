import type { LimitName, Limits, ProjectView } from '../../sandbox/index.ts';
import type { Origin, Sourced } from './origin.ts';
import { byDefault } from './origin.ts';

/** What one speaker grants to one pack. Paths are absolute and real. */
export interface GrantSource {
  /** `invocation`: a flag or an option, said for this run. */
  readonly level: 'file' | 'invocation';
  readonly project?: ProjectView;
  readonly network?: 'none' | 'host';
  readonly env?: readonly string[];
  readonly readPaths?: readonly Sourced<string>[];
  readonly writePaths?: readonly Sourced<string>[];
  readonly reveal?: readonly string[];
  readonly modifyWithSecrets?: boolean;
  readonly approve?: boolean;
  readonly limits: { readonly [Name in LimitName]?: number | undefined };
  originOf(key: string, index?: number): Origin;
}

/** What the operator grants to one pack, all speakers together; each value with who said it. */
export interface EffectiveGrant {
  readonly project: Sourced<ProjectView>;
  readonly network: Sourced<'none' | 'host'>;
  readonly env: readonly Sourced<string>[];
  readonly readPaths: readonly Sourced<string>[];
  readonly writePaths: readonly Sourced<string>[];
  readonly reveal: readonly Sourced<string>[];
  readonly modifyWithSecrets: Sourced<boolean>;
  readonly approve: Sourced<boolean>;
  /** What a hook gets that names none, and the most that one may ask for (but for the timeout). */
  readonly limits: { readonly [Name in LimitName]: Sourced<number> };
}

export const projectViews: readonly ProjectView[] = ['none', 'files', 'read'];
const networks = ['none', 'host'] as const;

/**
 * Adds grants up: lists are joined, of single values the files' largest counts. A single value that was said for this run
 * stands instead of the files': `--network none` must not be ignored. Pure.
 *
 * @param defaults limits where nobody speaks
 */
export function combineGrants(sources: readonly GrantSource[], defaults: Limits): EffectiveGrant {
  const pick = <Value>(
    key: string,
    read: (source: GrantSource) => Value | undefined,
    rank: (value: Value) => number,
    fallback: Value,
  ): Sourced<Value> => {
    const said = sources.flatMap((source) => {
      const value = read(source);
      return value === undefined ? [] : [{ value, origin: source.originOf(key), level: source.level }];
    });
    const now = said.filter(({ level }) => level === 'invocation');
    let best: Sourced<Value> | undefined;
    for (const { value, origin } of now.length > 0 ? now : said) {
      if (best === undefined || rank(value) > rank(best.value)) best = { value, origin };
    }
    return best ?? { value: fallback, origin: byDefault };
  };
  const join = (key: string, read: (source: GrantSource) => readonly string[] | undefined): Sourced<string>[] =>
    sources.flatMap((source) =>
      (read(source) ?? []).map((value, index) => ({ value, origin: source.originOf(key, index) })),
    );
  const limit = (name: LimitName): Sourced<number> => pick(name, ({ limits }) => limits[name], Number, defaults[name]);
  return {
    project: pick(
      'project',
      ({ project }) => project,
      (view) => projectViews.indexOf(view),
      'read',
    ),
    network: pick(
      'network',
      ({ network }) => network,
      (access) => networks.indexOf(access),
      'none',
    ),
    env: join('env', ({ env }) => env),
    readPaths: sources.flatMap(({ readPaths }) => readPaths ?? []),
    writePaths: sources.flatMap(({ writePaths }) => writePaths ?? []),
    reveal: join('reveal', ({ reveal }) => reveal),
    modifyWithSecrets: pick('modifyWithSecrets', ({ modifyWithSecrets }) => modifyWithSecrets, Number, false),
    approve: pick('approve', ({ approve }) => approve, Number, false),
    limits: {
      timeoutMs: limit('timeoutMs'),
      maxOutputBytes: limit('maxOutputBytes'),
      keepStderrBytes: limit('keepStderrBytes'),
      maxStderrBytes: limit('maxStderrBytes'),
      memoryBytes: limit('memoryBytes'),
      maxProcesses: limit('maxProcesses'),
      maxOpenFiles: limit('maxOpenFiles'),
      maxFileBytes: limit('maxFileBytes'),
      tmpBytes: limit('tmpBytes'),
    },
  };
}
