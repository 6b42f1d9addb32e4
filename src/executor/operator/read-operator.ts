import { join } from 'node:path';
import type { ExecutorOptions } from '../options.ts';
import type { OperatorFile } from './operator-file.ts';
import { readOperatorFile } from './operator-file.ts';

/** What the operator's configuration files say. */
export interface Operator {
  /** Those that are there, the system's first. */
  readonly files: readonly OperatorFile[];
  /** All that were looked for. */
  readonly places: readonly { readonly file: string; readonly found: boolean }[];
  /** Where a person would write a grant. */
  readonly grantFile: string | undefined;
}

/** @throws {HookcellError} `invalid_configuration`. */
export async function readOperator(
  { systemDirectory, userDirectory }: NonNullable<ExecutorOptions['configuration']>,
  projectRoot: string,
): Promise<Operator> {
  const files: OperatorFile[] = [];
  const places: { readonly file: string; readonly found: boolean }[] = [];
  for (const [level, directory] of [
    ['system', systemDirectory],
    ['user', userDirectory],
  ] as const) {
    if (directory === undefined) continue;
    const file = join(directory, 'config.json');
    const read = await readOperatorFile(level, file, projectRoot);
    places.push({ file, found: read !== undefined });
    if (read !== undefined) files.push(read);
  }
  return { files, places, grantFile: places.at(-1)?.file };
}
