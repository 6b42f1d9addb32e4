import { parsePacks } from '../load-packs.ts';
import type { ExecutorOptions } from '../options.ts';
import { readOrganizationPacks } from './organization-packs.ts';
import { readOperator } from './read-operator.ts';
import { decideSettings } from './settings.ts';

/** Whether a place lies in the project is judged where one is used. */
const noProject = '/dev/null';

/**
 * Reads what the operator keeps on this machine, as an executor does: as long as it cannot be read, every hook blocks.
 *
 * @throws {HookcellError} `invalid_configuration` or `invalid_pack`, with every finding.
 */
export async function checkOperator(configuration: NonNullable<ExecutorOptions['configuration']>): Promise<void> {
  const { files } = await readOperator(configuration, noProject);
  const { organizationPacks } = decideSettings(files, {});
  parsePacks(
    await readOrganizationPacks(organizationPacks, configuration.systemDirectory, noProject),
    noProject,
    new Map(),
  );
}
