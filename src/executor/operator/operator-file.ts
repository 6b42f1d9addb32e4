import type { Configuration } from '../../protocol/index.ts';
import { HookcellError, readConfiguration } from '../../protocol/index.ts';
import { operatorOwned, readOperatorOwned } from './operator-owned.ts';
import type { Origin } from './origin.ts';

/** A configuration file of the operator. */
export interface OperatorFile {
  readonly level: 'system' | 'user';
  readonly file: string;
  readonly configuration: Configuration;
  /** The line that holds the value at a path. */
  originAt(path: readonly (string | number)[]): Origin;
}

/**
 * Reads a configuration file of the operator, if there is one. A file that is there and cannot be trusted or understood is
 * never passed over: it may forbid something.
 *
 * @throws {HookcellError} `invalid_configuration`, with every finding.
 */
export async function readOperatorFile(
  level: OperatorFile['level'],
  file: string,
  projectRoot: string,
): Promise<OperatorFile | undefined> {
  const real = await operatorOwned(file, projectRoot);
  if (real === undefined) return undefined;
  const read = readConfiguration(await readOperatorOwned(real), file);
  if (!read.ok) {
    const [first] = read.findings;
    const message = `${file}:${first?.line ?? 1}:${first?.column ?? 1}: ${first?.message ?? 'cannot be read'}`;
    throw new HookcellError('invalid_configuration', message, { findings: read.findings });
  }
  const { configuration, positionOf } = read;
  return {
    level,
    file,
    configuration,
    originAt(path) {
      const { line, column } = positionOf(path);
      return { from: level === 'system' ? 'system file' : 'user file', at: `${file}:${line}:${column}` };
    },
  };
}
