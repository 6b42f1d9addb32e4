import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from '../../protocol/index.ts';
import { shownPath } from '../../protocol/index.ts';
import { discoverProject } from '../discover.ts';
import { isWithin } from '../within.ts';
import type { SetChanges } from './changes.ts';
import { compareSets } from './changes.ts';
import { hookKey } from './pin-pack.ts';
import type { PinnedFile } from './pins.ts';
import type { ProjectSet } from './project-set.ts';
import { readProjectSet, readSetHead } from './project-set.ts';
import { readTrusted } from './read-trusted.ts';
import type { TrustRecord } from './trust-record.ts';
import type { TrustStore } from './trust-store.ts';

/** What lies in a project, read once, beside what the operator accepted earlier: what a decision is made on. */
export interface Inspection {
  /** A real path. */
  readonly project: string;
  readonly set: ProjectSet;
  readonly record: TrustRecord | undefined;
  /** Whether the record is about exactly this, so that nothing is left to accept. */
  readonly isAccepted: boolean;
  readonly changes: SetChanges;
  /** Why it cannot be accepted. */
  readonly findings: readonly Finding[];
  /** The content that was accepted, where it was kept. */
  readonly before: (path: string) => Uint8Array | undefined;
  /** The content that would be accepted. */
  readonly now: (path: string) => Uint8Array | undefined;
  /** Paths of the files that a hook runs with, and nothing else instead of them. */
  readonly filesOf: (pack: string, hook: string) => readonly string[];
}

/**
 * Reads the packs of a project with everything they name, for the operator to decide about them.
 *
 * @param start a real path
 * @param isRoot whether `start` itself is meant, and not the project around it
 * @param agents further `agent.json` files that select packs, relative to the project
 * @throws {HookcellError} `invalid_configuration` when the store cannot be used.
 */
export async function inspectProject(
  start: string,
  isRoot: boolean,
  agents: readonly string[],
  store: TrustStore,
): Promise<Inspection> {
  const found = await discoverProject(start, (path) => (isRoot ? path === start : store.has(path)));
  const project = isRoot ? start : found.root;
  const packs = found.root === project ? found.packs : [];
  const record = store.read(project);
  const head = readSetHead(project, packs, [...new Set([...(record?.agents ?? []), ...agents])]);
  const set = await readProjectSet(head, new Map());
  const read = new Map(set.pins.all().map((file) => [file.path, file.bytes]));
  return {
    project,
    set,
    record,
    isAccepted: isAccepted(record, set),
    changes: changesOf(record, set),
    findings: [...set.findings, ...nestingFindings(project, store), ...missingAgents(agents, set)],
    before: (path) => {
      const entry = record?.entries.find((one) => one.path === path);
      return entry === undefined ? undefined : store.content(project, entry.sha256);
    },
    now: (path) => read.get(path),
    filesOf: (pack, hook) => (set.hookPins.get(hookKey(pack, hook)) ?? []).map(({ path }) => path),
  };
}

function isAccepted(record: TrustRecord | undefined, set: ProjectSet): boolean {
  if (record === undefined) return false;
  return (
    record.hash === set.hash &&
    record.owner === lstatSync(record.project).uid &&
    namesAll(record.packs, set.packs) &&
    namesAll(record.agents, set.agents)
  );
}

/** What packs name is not known while one of them cannot be read. */
function changesOf(record: TrustRecord | undefined, set: ProjectSet): SetChanges {
  const entries = record?.entries ?? [];
  if (set.findings.length === 0) return compareSets(entries, set.entries);
  const head = new Set([...(record?.packs ?? []), ...(record?.agents ?? [])]);
  const found = new Set([...set.packs, ...set.agents].map(({ path }) => path));
  return compareSets(
    entries.filter(({ path }) => head.has(path)),
    set.entries.filter(({ path }) => found.has(path)),
  );
}

function namesAll(paths: readonly string[], files: readonly PinnedFile[]): boolean {
  const named = new Set(paths);
  return files.length === named.size && files.every(({ path }) => named.has(path));
}

/** Only the outermost project counts, so that a repository cannot put its own packs before accepted ones. */
function nestingFindings(project: string, store: TrustStore): Finding[] {
  const findings: Finding[] = [];
  for (let level = dirname(project); ; level = dirname(level)) {
    if (store.has(level)) {
      const message = `lies in ${shownPath(level)}, whose packs are accepted and count here as well; move these packs there, or first: hookcell trust --revoke ${shownPath(level)}`;
      findings.push({ code: 'nested_project', message, file: project });
    }
    if (dirname(level) === level) break;
  }
  for (const { project: inner } of store.list()) {
    if (inner === project || !isWithin(project, inner)) continue;
    const message = `holds ${shownPath(inner)}, which was accepted by itself and would not count any more; first: hookcell trust --revoke ${shownPath(inner)}`;
    findings.push({ code: 'nested_project', message, file: project });
  }
  return findings;
}

function missingAgents(agents: readonly string[], set: ProjectSet): Finding[] {
  const known = new Set(set.agents.map(({ path }) => path));
  return agents
    .filter((path) => !known.has(path) && !set.findings.some(({ file }) => file?.endsWith(`/${path}`)))
    .map((path) => ({ code: 'missing', message: 'expected an agent.json of the project here', file: path }));
}

/** Accepts what was inspected: the bytes that were read then, whatever lies there by now. */
export async function acceptProject({ project, set }: Inspection, store: TrustStore, now: Date): Promise<TrustRecord> {
  const record: TrustRecord = {
    version: 1,
    project,
    owner: lstatSync(project).uid,
    acceptedAt: now.toISOString(),
    hash: set.hash,
    entries: set.entries,
    packs: set.packs.map(({ path }) => path),
    agents: set.agents.map(({ path }) => path),
    required: set.parsed.some(({ required }) => required),
  };
  await store.accept(record, set.pins.all());
  return record;
}

/** How a project stands to its record. */
export async function trustState(record: TrustRecord, store: TrustStore): Promise<'unchanged' | 'changed' | 'missing'> {
  const { project } = record;
  if (lstatSync(project, { throwIfNoEntry: false })?.isDirectory() !== true) return 'missing';
  const { packs } = await discoverProject(project, (path) => path === project);
  const trusted = await readTrusted(project, packs, store, new Map());
  return trusted.state === 'accepted' ? 'unchanged' : 'changed';
}
