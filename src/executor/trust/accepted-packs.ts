import { basename, dirname, join, relative, resolve } from 'node:path';
import type { EventDefinition } from '../../protocol/index.ts';
import { shownPath } from '../../protocol/index.ts';
import type { Project, Untrusted } from '../discover.ts';
import { neverAccepted } from '../discover.ts';
import type { PackText, PackTexts } from '../load-packs.ts';
import { readPackTexts } from '../load-packs.ts';
import type { ResolvedOptions } from '../options.ts';
import { isWithin, nearestReal } from '../within.ts';
import { textOf } from './pins.ts';
import type { ProjectSet } from './project-set.ts';
import { readTrusted } from './read-trusted.ts';
import type { TrustStore } from './trust-store.ts';

/** The packs that may run. */
export interface AcceptedPacks extends PackTexts {
  /** What the operator accepted, where packs were found and not named. */
  readonly set?: ProjectSet;
  /** What to say about packs that must not run. */
  readonly untrusted: Untrusted | undefined;
}

/**
 * Packs that were named, else those of the project that the operator accepted, with the content that was accepted.
 *
 * @throws {HookcellError} `invalid_configuration` when the trust store cannot be used.
 */
export async function acceptedPacks(
  { packs, agent }: Pick<ResolvedOptions, 'packs' | 'agent'>,
  project: Project,
  store: TrustStore,
  knownEvents: ReadonlyMap<string, EventDefinition>,
): Promise<AcceptedPacks> {
  if (packs !== undefined) return { ...(await readPackTexts(packs, project.root)), untrusted: undefined };
  const trusted = await readTrusted(project.root, project.packs, store, knownEvents);
  if (trusted.state === 'unknown') return { texts: [], findings: [], untrusted: neverAccepted(project) };
  if (trusted.state === 'changed') {
    const { record, changes, message } = trusted;
    const files = [...changes.changed, ...changes.added, ...changes.removed];
    return { texts: [], findings: [], untrusted: { files, message, required: record.required } };
  }
  const { set } = trusted;
  const untrusted = strayPacks(project, set) ?? unacceptedAgent(agent, project, set);
  return { texts: packTexts(set), findings: [], set, untrusted };
}

/** Packs below the accepted project: whoever works there must not be without them, nor with them unseen. */
function strayPacks({ root, strays }: Project, set: ProjectSet): Untrusted | undefined {
  if (strays.length === 0) return undefined;
  const files = strays.map((file) => relative(root, file));
  const message = `found packs below the accepted project ${shownPath(root)}: ${files.slice(0, 20).map(shownPath).join(', ')}; read them, then move them into its .hookcell/hooks and run hookcell trust, or remove them`;
  return { files, message, required: set.parsed.some(({ required }) => required) };
}

/** An agent file of the project chooses which guards run, so it has to be accepted with them. */
function unacceptedAgent(agent: string | undefined, project: Project, set: ProjectSet): Untrusted | undefined {
  if (agent === undefined) return undefined;
  const path = agentPath(agent, project);
  if (!isWithin(project.root, path) || set.agents.some(({ target }) => target === path)) return undefined;
  const file = relative(project.root, path);
  const message = `the agent ${shownPath(file)} selects packs and lies in the project, and nobody accepted it; read it, then: hookcell trust --agent ${shownPath(file)}`;
  return { files: [file], message, required: set.parsed.some(({ required }) => required) };
}

function packTexts({ packs, parsed }: ProjectSet): PackText[] {
  const byFile = new Map(parsed.map((pack) => [pack.file, pack]));
  return packs.map((file) => {
    const pack = byFile.get(file.target);
    return { file: file.target, text: textOf(file), layer: 'project', ...(pack === undefined ? {} : { pack }) };
  });
}

/**
 * Where an agent file lies. A way to the project through a link outside of it still leads into the project; but a link in the
 * project stays what it is, since the repository says where it leads.
 */
export function agentPath(agent: string, { root, start }: Pick<Project, 'root' | 'start'>): string {
  const named = resolve(start, agent);
  const path = join(nearestReal(dirname(named)), basename(named));
  return isWithin(root, path) ? path : nearestReal(path);
}

/** The accepted content of an agent file. */
export function agentText(set: ProjectSet | undefined, path: string): string | undefined {
  const file = set?.agents.find(({ target }) => target === path);
  return file === undefined ? undefined : textOf(file);
}
