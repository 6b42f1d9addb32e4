import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Grant } from '../../protocol/index.ts';
import type { Limits } from '../../sandbox/index.ts';
import type { ExecutorOptions } from '../options.ts';
import type { EffectiveGrant, GrantSource } from './effective-grant.ts';
import { combineGrants } from './effective-grant.ts';
import { grantedPath, operatorPath } from './granted-path.ts';
import type { OperatorFile } from './operator-file.ts';
import type { Origin, Sourced } from './origin.ts';

const MiB = 1024 * 1024;

/** The pack that a grant is for. An organization's name is the operator's word; a project's is the repository's. */
export interface Grantee {
  readonly name: string;
  readonly isOrganization: boolean;
}

/** One grant of a configuration file, and whom it is for. */
interface Clause {
  readonly file: OperatorFile;
  readonly path: readonly string[];
  readonly grant: Grant;
  readonly isFor: (pack: Grantee) => boolean;
}

export interface Grants {
  /** What all speakers together grant to a pack. */
  readonly of: (pack: Grantee) => EffectiveGrant;
  /** The longest timeout that somebody set, if anybody did. */
  readonly longestTimeoutMs: number;
}

/**
 * Gathers who grants what in this project.
 *
 * @throws {HookcellError} `invalid_options` for a path of the options that is not there or leads out of the project.
 */
export function gatherGrants(
  files: readonly OperatorFile[],
  options: Pick<ExecutorOptions, 'sandbox' | 'grants' | 'origin'>,
  projectRoot: string,
  defaults: Limits,
): Grants {
  const clauses = files.flatMap((file) => clausesOf(file, projectRoot));
  const sources = clauses.map((clause) => ({ clause, source: sourceOfClause(clause, projectRoot) }));
  const said = sourceOfOptions(options, projectRoot);
  // Of a thousand packs most are granted the same.
  const known = new Map<string, EffectiveGrant>();
  return {
    longestTimeoutMs: Math.max(0, ...[said, ...sources.map(({ source }) => source)].map(timeoutOf)),
    of(pack) {
      const modifyWithSecrets = options.grants?.modifyWithSecrets?.includes(pack.name) === true;
      const chosen = sources.filter(({ clause }) => clause.isFor(pack));
      const key = [modifyWithSecrets, ...chosen.map((one) => sources.indexOf(one))].join(' ');
      const own = { ...said, ...(modifyWithSecrets ? { modifyWithSecrets } : {}) };
      const grant = known.get(key) ?? combineGrants([...chosen.map(({ source }) => source), own], defaults);
      known.set(key, grant);
      return grant;
    },
  };
}

function clausesOf(file: OperatorFile, projectRoot: string): Clause[] {
  const { grant, organization = {}, projects = {} } = file.configuration;
  const clauses: Clause[] = [];
  if (grant !== undefined) clauses.push({ file, path: ['grant'], grant, isFor: () => true });
  for (const [name, own] of Object.entries(organization)) {
    const isFor = (pack: Grantee): boolean => pack.isOrganization && pack.name === name;
    clauses.push({ file, path: ['organization', name], grant: own, isFor });
  }
  for (const [place, project] of Object.entries(projects)) {
    if (realPathOf(place) !== projectRoot) continue;
    const path = ['projects', place];
    if (project.grant !== undefined) {
      clauses.push({ file, path: [...path, 'grant'], grant: project.grant, isFor: (pack) => !pack.isOrganization });
    }
    for (const [name, own] of Object.entries(project.packs ?? {})) {
      const isFor = (pack: Grantee): boolean => !pack.isOrganization && pack.name === name;
      clauses.push({ file, path: [...path, 'packs', name], grant: own, isFor });
    }
  }
  return clauses;
}

function sourceOfClause({ file, path, grant }: Clause, projectRoot: string): GrantSource {
  const originOf = (key: string, index?: number): Origin =>
    file.originAt([...path, key === 'memoryBytes' ? 'memoryMb' : key, ...(index === undefined ? [] : [index])]);
  const { read = [], write = [], memoryMb, timeoutMs, maxProcesses, maxOutputBytes, ...rest } = grant;
  // What is not there, or was turned elsewhere by a link of the project, is not granted.
  const paths = (key: string, list: readonly string[]): Sourced<string>[] =>
    list.flatMap((name, index) => {
      const found = grantedPath(resolve(projectRoot, name), projectRoot);
      return found.ok ? [{ value: found.path, origin: originOf(key, index) }] : [];
    });
  return {
    ...rest,
    level: 'file',
    readPaths: paths('read', read),
    writePaths: paths('write', write),
    limits: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(memoryMb === undefined ? {} : { memoryBytes: memoryMb * MiB }),
      ...(maxProcesses === undefined ? {} : { maxProcesses }),
      ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    },
    originOf,
  };
}

const flags: Readonly<Record<string, string>> = {
  timeoutMs: '--timeout-ms',
  memoryBytes: '--memory-mb',
  maxProcesses: '--max-processes',
  maxOutputBytes: '--max-output-bytes',
  modifyWithSecrets: '--modify-with-secrets',
  killSwitch: 'HOOKCELL_HOOKS=off',
};

/** The option that a value of the invocation came from, as its speaker wrote it. */
export function invocationOrigin({ origin }: Pick<ExecutorOptions, 'origin'>, option: string): Origin {
  const key = option.slice(option.lastIndexOf('.') + 1);
  return origin === 'flag' ? { from: 'flag', at: flags[key] ?? `--${key}` } : { from: 'option', at: option };
}

function sourceOfOptions(
  options: Pick<ExecutorOptions, 'sandbox' | 'grants' | 'origin'>,
  projectRoot: string,
): GrantSource {
  const { project, network, env = {}, read = [], write = [], limits = {} } = options.sandbox ?? {};
  const optionOf = (key: string): string => {
    if (key === 'reveal' || key === 'modifyWithSecrets') return `grants.${key}`;
    return Object.hasOwn(limits, key) ? `sandbox.limits.${key}` : `sandbox.${key}`;
  };
  const originOf = (key: string): Origin => invocationOrigin(options, optionOf(key));
  const paths = (key: string, list: readonly string[]): Sourced<string>[] =>
    list.map((name, index) => ({
      value: operatorPath(resolve(projectRoot, name), projectRoot, `/sandbox/${key}/${index}`),
      origin: originOf(key),
    }));
  return {
    level: 'invocation',
    ...(project === undefined ? {} : { project }),
    ...(network === undefined ? {} : { network }),
    env: Object.keys(env),
    readPaths: paths('read', read),
    writePaths: paths('write', write),
    reveal: options.grants?.reveal ?? [],
    limits,
    originOf,
  };
}

function timeoutOf({ limits }: GrantSource): number {
  return limits.timeoutMs ?? 0;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
