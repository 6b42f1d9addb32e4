import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HookcellError } from '../../protocol/index.ts';
import type { PackText } from '../load-packs.ts';
import { checkOperatorDirectory, operatorOwned, readOperatorOwned } from './operator-owned.ts';
import type { Sourced } from './origin.ts';
import { originText } from './origin.ts';

/**
 * Reads the packs that run in every project: those that a configuration file names, and the `packs` directory beside the
 * system's file, when there is one.
 *
 * @throws {HookcellError} `invalid_configuration` for one that is missing, or that others may change.
 */
export async function readOrganizationPacks(
  named: readonly Sourced<string>[],
  systemDirectory: string | undefined,
  projectRoot: string,
): Promise<readonly PackText[]> {
  const packs = new Map<string, PackText>();
  for (const { value, origin } of named) {
    const found = await readPlace(value, projectRoot);
    if (found === undefined || found.length === 0) {
      const message = `expected a pack file or a directory of *.json files, which ${originText(origin)} names; put one there, or remove that line`;
      throw missing(value, message);
    }
    for (const pack of found) packs.set(pack.file, pack);
  }
  if (systemDirectory !== undefined) {
    for (const pack of (await readPlace(join(systemDirectory, 'packs'), projectRoot)) ?? []) packs.set(pack.file, pack);
  }
  return [...packs.values()];
}

async function readPlace(path: string, projectRoot: string): Promise<PackText[] | undefined> {
  const real = await operatorOwned(path, projectRoot);
  if (real === undefined) return undefined;
  if (!(await stat(real)).isDirectory()) return [await readOne(real)];
  await checkOperatorDirectory(real);
  const names = (await readdir(real)).filter((name) => name.endsWith('.json')).toSorted();
  const packs: PackText[] = [];
  for (const name of names) {
    const file = await operatorOwned(join(real, name), projectRoot);
    if (file === undefined) throw missing(join(real, name), 'expected a pack file, which is gone');
    packs.push(await readOne(file));
  }
  return packs;
}

async function readOne(file: string): Promise<PackText> {
  return { file, text: await readOperatorOwned(file), layer: 'organization' };
}

function missing(file: string, message: string): HookcellError {
  return new HookcellError('invalid_configuration', `${file}: ${message}`, {
    findings: [{ code: 'no_packs', message, file }],
  });
}
