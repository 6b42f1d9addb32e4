import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { EventDefinition, Finding } from '../../protocol/index.ts';
import { shownPath } from '../../protocol/index.ts';
import type { SetChanges } from './changes.ts';
import { compareSets, hasChanges } from './changes.ts';
import type { ProjectSet } from './project-set.ts';
import { readProjectSet, readSetHead } from './project-set.ts';
import type { TrustRecord } from './trust-record.ts';
import type { TrustStore } from './trust-store.ts';

/** What a project's packs are to the operator. */
export type Trusted =
  /** Nothing was accepted here. */
  | { readonly state: 'unknown' }
  /** The very bytes that were accepted; they are in the set. */
  | { readonly state: 'accepted'; readonly set: ProjectSet; readonly record: TrustRecord }
  /** Something differs from what was accepted. Nothing of it was believed. */
  | {
      readonly state: 'changed';
      readonly record: TrustRecord;
      readonly changes: SetChanges;
      /** What is wrong, and what to do. */
      readonly message: string;
    };

/** Files that a message names. */
const maxNamed = 20;

/**
 * Reads a project's set once and compares it with what the operator accepted. Packs that were not accepted are not even
 * parsed.
 *
 * @param packFiles what discovery found, absolute
 * @throws {HookcellError} `invalid_configuration` when the store cannot be used.
 */
export async function readTrusted(
  projectRoot: string,
  packFiles: readonly string[],
  store: TrustStore,
  knownEvents: ReadonlyMap<string, EventDefinition>,
): Promise<Trusted> {
  const record = store.read(projectRoot);
  if (record === undefined) return { state: 'unknown' };
  if (lstatSync(projectRoot).uid !== record.owner) {
    const message = `the project ${projectRoot} belongs to another user than when it was accepted; look at it, then: hookcell trust`;
    return { state: 'changed', record, changes: { added: [], changed: [], removed: [] }, message };
  }
  const head = readSetHead(projectRoot, packFiles, record.agents);
  const believed = new Set([...record.packs, ...record.agents]);
  const early = compareSets(
    record.entries.filter(({ path }) => believed.has(path)),
    head.entries,
  );
  if (head.findings.length > 0 || hasChanges(early)) return changed(record, early, head.findings);
  const set = await readProjectSet(head, knownEvents);
  const changes = compareSets(record.entries, set.entries);
  if (set.findings.length > 0 || set.hash !== record.hash) return changed(record, changes, set.findings);
  return { state: 'accepted', set, record };
}

function changed(record: TrustRecord, changes: SetChanges, findings: readonly Finding[]): Trusted {
  const parts = [
    ...findings.map(({ file, message }) => `${shownPath(file ?? '')} ${message}`),
    ...(['changed', 'added', 'removed'] as const).flatMap((kind) =>
      changes[kind].map((path) =>
        // What cannot be read is in no set, as what was removed.
        kind === 'removed' && !isGone(join(record.project, path))
          ? `${shownPath(path)} cannot be read, or nothing names it any more`
          : `${shownPath(path)} ${kind}`,
      ),
    ),
  ];
  const named = parts.slice(0, maxNamed).join(', ');
  const more = parts.length > maxNamed ? ` and ${parts.length - maxNamed} more` : '';
  const message = `the packs of ${shownPath(record.project)} are not what was accepted: ${named}${more}; look at what changed and accept it, or not: hookcell trust`;
  return { state: 'changed', record, changes, message };
}

function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
