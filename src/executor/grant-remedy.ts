import { resolve } from 'node:path';
import { shellWord } from '../protocol/index.ts';

/** One thing that a pack asks for and the operator does not grant. */
export interface Beyond {
  readonly key:
    | 'project'
    | 'network'
    | 'env'
    | 'read'
    | 'write'
    | 'reveal'
    | 'memoryMb'
    | 'maxProcesses'
    | 'maxOutputBytes';
  /** As the pack wrote it. */
  readonly value: string | number;
}

/** Where a grant for a pack would be written. */
export interface Grantor {
  /** The configuration file; absent when the host named none. */
  readonly file?: string;
  /** The pack's place in it. */
  readonly path: readonly string[];
  /** The project, where flags are read elsewhere: relative paths of the pack mean something else there. */
  readonly projectRoot?: string;
  /** A vector asks: what the pack asks for has to stand in its `options`, too. */
  readonly byVector?: boolean;
}

const flags: Readonly<Record<Beyond['key'], string>> = {
  project: '--project',
  network: '--network',
  env: '--env',
  read: '--read',
  write: '--write',
  reveal: '--reveal',
  memoryMb: '--memory-mb',
  maxProcesses: '--max-processes',
  maxOutputBytes: '--max-output-bytes',
};
/** What a vector cannot grant by itself. */
const flagsOfTest: ReadonlySet<Beyond['key']> = new Set(['network', 'read', 'write']);
const lists: ReadonlySet<Beyond['key']> = new Set(['env', 'read', 'write', 'reveal']);

/**
 * What to say about a request beyond the grant: what it is, the flags that grant it for one run, and the line that grants
 * it in the operator's file. The line is a whole document: with no file yet, it can be written as it stands. Pure.
 */
export function grantRemedy(beyond: readonly Beyond[], grantor: Grantor): string {
  const { file, path, projectRoot } = grantor;
  const asked = beyond.map(({ key, value }) => `${key} ${JSON.stringify(value)}`).join(', ');
  if (grantor.byVector === true)
    return `asks for more than the vector grants: ${asked}; ${vectorRemedy(beyond, grantor)}`;
  const once = flagsOf(beyond, projectRoot);
  const remedy = `asks for more than the operator grants: ${asked}; to grant it: ${once}`;
  return file === undefined ? remedy : `${remedy} (once), or in ${file}: ${JSON.stringify(documentOf(beyond, path))}`;
}

/** A path in a vector is relative to the vector, so the pack's own is written out. */
function vectorRemedy(beyond: readonly Beyond[], { projectRoot }: Grantor): string {
  const values = beyond.map((one) =>
    typeof one.value === 'string' ? { ...one, value: flagValue(one, projectRoot) } : one,
  );
  const { env, ...rest } = grantOf(values);
  const options = Array.isArray(env) ? { ...rest, env: Object.fromEntries(env.map((name) => [name, '…'])) } : rest;
  const outside = values.filter(({ key }) => flagsOfTest.has(key));
  const call = outside.length === 0 ? '' : ` and call hookcell test ${flagsOf(outside, projectRoot)}`;
  return `write into the vector "options": ${JSON.stringify(options)}${call}`;
}

function flagsOf(beyond: readonly Beyond[], projectRoot: string | undefined): string {
  return beyond.map((one) => `${flags[one.key]} ${shellWord(flagValue(one, projectRoot))}`).join(' ');
}

function flagValue({ key, value }: Beyond, projectRoot: string | undefined): string {
  const isPath = key === 'read' || key === 'write';
  return isPath && projectRoot !== undefined ? resolve(projectRoot, String(value)) : String(value);
}

function documentOf(beyond: readonly Beyond[], path: readonly string[]): object {
  let inner: object = grantOf(beyond);
  for (const key of path.toReversed()) inner = { [key]: inner };
  return { version: 1, ...inner };
}

function grantOf(beyond: readonly Beyond[]): Record<string, unknown> {
  const grant: Record<string, unknown> = {};
  for (const { key, value } of beyond) {
    grant[key] = lists.has(key) ? [...new Set(beyond.filter((one) => one.key === key).map((one) => one.value))] : value;
  }
  return grant;
}
