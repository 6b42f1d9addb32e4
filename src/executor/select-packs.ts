import type { Finding } from '../protocol/index.ts';
import { HookcellError, readAgent } from '../protocol/index.ts';
import type { LoadedPack } from './load-packs.ts';
import { readText, throwFindings } from './load-packs.ts';

/**
 * Keeps what an agent selects by name, in scope `agent`. Packs of the organization stay: no file of the project can turn
 * them off.
 *
 * @param file absolute
 * @param pinned content that was accepted; other files are read
 * @throws {HookcellError} `invalid_agent`, with every finding.
 */
export function selectPacks(
  packs: readonly LoadedPack[],
  file: string | undefined,
  projectRoot: string,
  pinned: (file: string) => string | undefined = () => undefined,
): readonly LoadedPack[] {
  if (file === undefined) return packs;
  const accepted = pinned(file);
  if (accepted !== undefined) return chooseByAgent(packs, accepted, file);
  return chooseByAgent(packs, readAgentText(file, projectRoot), file);
}

function readAgentText(file: string, projectRoot: string): string {
  try {
    return readText(file, projectRoot);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const findings = [{ code: 'unreadable', message: `cannot be read: ${message}`, file }];
    throw new HookcellError('invalid_agent', `${file}: ${message}`, { findings, cause: error });
  }
}

/** Pure part of {@link selectPacks}. */
export function chooseByAgent(packs: readonly LoadedPack[], text: string, file: string): readonly LoadedPack[] {
  const read = readAgent(text, file);
  throwFindings('invalid_agent', read.ok ? [] : read.findings);
  const chosen = new Set(read.ok ? read.agent.hooks : []);
  const known = new Set(packs.map(({ pack }) => pack.name));
  const unknown = [...chosen].flatMap((name, index): Finding[] => {
    if (known.has(name)) return [];
    const names = [...known].map((one) => `"${one}"`).join(', ');
    const message = `the agent selects "${name}", expected one of ${names || 'no packs at all'}`;
    return [{ code: 'unknown_pack', message, file, pointer: `/hooks/${index}` }];
  });
  throwFindings('invalid_agent', unknown);
  return packs.flatMap((loaded): LoadedPack[] => {
    if (loaded.layer === 'organization') return [loaded];
    return chosen.has(loaded.pack.name) ? [{ ...loaded, layer: 'agent' }] : [];
  });
}
