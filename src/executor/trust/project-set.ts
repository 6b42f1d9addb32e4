import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { EventDefinition, Finding, ResolvedPack } from '../../protocol/index.ts';
import { readAgent, readPack } from '../../protocol/index.ts';
import { hookKey, pinFinding, pinPack } from './pin-pack.ts';
import type { PinnedFile, Pins } from './pins.ts';
import { createPins, textOf } from './pins.ts';
import { UnpinnableFile } from './read-pinned.ts';
import type { SetEntry } from './trust-record.ts';
import { setHash } from './trust-record.ts';

/** Where a project keeps an `agent.json` that belongs to every set. */
export const agentPlaces = ['agent.json', '.hookcell/agent.json', '.polpo/agent.json'];

/** Larger packs are not read. */
const maxPackBytes = 4 * 1024 * 1024;

/** The files that say what runs, read but not yet believed. */
export interface SetHead {
  readonly pins: Pins;
  readonly packs: readonly PinnedFile[];
  readonly agents: readonly PinnedFile[];
  readonly entries: readonly SetEntry[];
  readonly findings: readonly Finding[];
}

/** Everything that a trust record speaks about, with the bytes that were hashed. */
export interface ProjectSet extends SetHead {
  readonly hash: string;
  readonly parsed: readonly ResolvedPack[];
  /** What each hook's command and pack name, by {@link hookKey}. */
  readonly hookPins: ReadonlyMap<string, readonly PinnedFile[]>;
  /** What is run and cannot be pinned, since only the running line knows it: a person may accept that, `--yes` does not. */
  readonly unpinned: readonly Finding[];
}

/**
 * Reads packs and agents of a project, each once.
 *
 * @param packFiles absolute
 * @param agents further `agent.json` files, relative to the project
 */
export function readSetHead(projectRoot: string, packFiles: readonly string[], agents: readonly string[]): SetHead {
  const pins = createPins(projectRoot);
  const findings: Finding[] = [];
  const pinAll = (paths: readonly string[]): PinnedFile[] =>
    paths.flatMap((path) => {
      try {
        const file = pins.pin(path);
        // A link could be turned to another pack, and shows up under a name that nobody reads.
        if (file.target !== path) throw new UnpinnableFile('is_link', 'is reached through a symbolic link');
        if (file.bytes.length > maxPackBytes) {
          throw new UnpinnableFile('too_large', `has ${file.bytes.length} bytes, expected at most ${maxPackBytes}`);
        }
        return [file];
      } catch (error) {
        findings.push(pinFinding(error, path));
        return [];
      }
    });
  const packs = pinAll(packFiles);
  const places = new Set([...agentPlaces, ...agents].map((path) => join(projectRoot, path)));
  const present = [...places].filter(isPresent);
  const agentFiles = pinAll(present);
  return { pins, packs, agents: agentFiles, entries: pins.all().map(entryOf), findings };
}

/** Reads everything that the packs name. Their texts are believed to be packs from here on: check them first. */
export async function readProjectSet(
  head: SetHead,
  knownEvents: ReadonlyMap<string, EventDefinition>,
): Promise<ProjectSet> {
  const { pins } = head;
  const findings: Finding[] = [...head.findings];
  const parsed: ResolvedPack[] = [];
  const names = new Map<string, ResolvedPack>();
  const links: SetEntry[] = [];
  const unpinned: Finding[] = [];
  const hookPins = new Map<string, readonly PinnedFile[]>();
  for (const file of head.packs) {
    const read = readPack(textOf(file), file.target, { knownEvents });
    if (!read.ok) {
      findings.push(...read.findings);
      continue;
    }
    const twin = names.get(read.pack.name);
    names.set(read.pack.name, read.pack);
    if (twin !== undefined) {
      const message = `expected every pack name once, got "${read.pack.name}" again (first in ${twin.file}); rename one`;
      findings.push({ code: 'duplicate_pack', message, file: file.target, pointer: '/name' });
    }
    parsed.push(read.pack);
    const pinned = await pinPack(read.pack, pins);
    findings.push(...pinned.findings);
    links.push(...pinned.links);
    unpinned.push(...pinned.unpinned);
    for (const [id, files] of pinned.hooks) hookPins.set(hookKey(read.pack.name, id), files);
  }
  for (const file of head.agents) {
    const read = readAgent(textOf(file), file.target);
    if (!read.ok) findings.push(...read.findings);
  }
  const byPath = new Map([...pins.all().map(entryOf), ...links].map((entry) => [entry.path, entry]));
  const entries = [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { ...head, entries, hash: setHash(entries), parsed, hookPins, unpinned, findings };
}

function entryOf({ path, executable, sha256 }: PinnedFile): SetEntry {
  return { path, mode: executable ? 'x' : '-', sha256 };
}

/** What cannot even be looked at counts: reading it says why. */
function isPresent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
