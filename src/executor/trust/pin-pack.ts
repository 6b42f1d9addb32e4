import { createHash } from 'node:crypto';
import { readlinkSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Finding, ResolvedPack } from '../../protocol/index.ts';
import { HookcellError, shownPath } from '../../protocol/index.ts';
import type { ProjectEntries } from '../project-files.ts';
import { listProjectEntries } from '../project-files.ts';
import { isWithin } from '../within.ts';
import { commandWords } from './command-words.ts';
import { pinCommand } from './pin-command.ts';
import type { PinnedFile, Pins } from './pins.ts';
import { pinBounds } from './pins.ts';
import { UnpinnableFile } from './read-pinned.ts';
import type { SetEntry } from './trust-record.ts';

/** What one pack pins. */
export interface PackPins {
  /** By hook id: what its command names, with the pack's `files`. */
  readonly hooks: ReadonlyMap<string, readonly PinnedFile[]>;
  /** Symbolic links that `files` would lead through: what they say is part of the set, they cannot be pinned. */
  readonly links: readonly SetEntry[];
  /** Commands of which only the running line knows what they run. */
  readonly unpinned: readonly Finding[];
  readonly findings: readonly Finding[];
}

/** Names a hook among all packs. */
export function hookKey(pack: string, hook: string): string {
  return `${pack}/${hook}`;
}

/** Reads everything that a pack names in the project. */
export async function pinPack(pack: ResolvedPack, pins: Pins): Promise<PackPins> {
  const listed = await pinListed(pack, pins);
  const findings = [...listed.findings];
  const hooks = new Map<string, readonly PinnedFile[]>();
  for (const hook of pack.hooks) {
    try {
      hooks.set(hook.id, [...new Set([...pinCommand(hook, pins), ...listed.files])]);
    } catch (error) {
      const finding = pinFinding(error, pack.file);
      findings.push({ ...finding, ...hook.at, message: `the command of hook "${hook.id}" ${finding.message}` });
    }
  }
  const unpinned = listed.files.length > 0 ? [] : unpinnedFindings(pack);
  return { hooks, links: listed.links, unpinned, findings };
}

/** A pack whose `files` name some has said what it runs. */
function unpinnedFindings({ file, files, hooks }: ResolvedPack): Finding[] {
  return hooks.flatMap(({ id, at, handler }) => {
    const { unresolved } = commandWords(handler);
    if (unresolved.length === 0) return [];
    const named = unresolved.slice(0, 5).map(shownPath).join(', ');
    const message = `what the command of hook "${id}" runs is known only when it runs (${named}), so a change of it would not be noticed`;
    if (files.length === 0)
      return [{ code: 'unpinned', message: `${message}; name what it runs in "files"`, file, ...at }];
    const empty = `${message}, and "files" names no file that is there; correct its globs`;
    return [{ code: 'files_match_nothing', message: empty, file, pointer: '/files' }];
  });
}

interface Listed {
  readonly files: readonly PinnedFile[];
  readonly links: readonly SetEntry[];
  readonly findings: readonly Finding[];
}

/** Reads what a pack's `files` name. */
export async function pinListed(pack: ResolvedPack, pins: Pins): Promise<Listed> {
  const found = await listEntries(pack, pins.projectRoot);
  if (Array.isArray(found)) return { files: [], links: [], findings: found };
  const findings: Finding[] = [];
  const files = found.files.flatMap((path) => {
    try {
      return [pins.pin(path)];
    } catch (error) {
      const finding = pinFinding(error, pack.file);
      const message = `"files" names ${relative(pins.projectRoot, path)}, which ${finding.message}`;
      findings.push({ ...finding, message, pointer: '/files' });
      return [];
    }
  });
  const links = found.links.flatMap((path) => linkEntry(path, pack, pins.projectRoot, findings));
  return { files, links, findings };
}

async function listEntries(pack: ResolvedPack, projectRoot: string): Promise<ProjectEntries | Finding[]> {
  try {
    const found = await listProjectEntries(projectRoot, pack.files);
    const count = found.files.length + found.links.length;
    if (count <= pinBounds.maxFilesOfHook) return found;
    const message = `"files" names ${count} files, expected at most ${pinBounds.maxFilesOfHook}; name them more closely`;
    return [{ code: 'files_too_broad', message, file: pack.file, pointer: '/files' }];
  } catch (error) {
    if (!(error instanceof HookcellError)) throw error;
    return error.findings.map((finding) => ({ ...finding, file: pack.file }));
  }
}

function linkEntry(path: string, pack: ResolvedPack, projectRoot: string, findings: Finding[]): SetEntry[] {
  const name = relative(projectRoot, path);
  try {
    const text = readlinkSync(path);
    const real = realpathSync(resolve(path, '..', text));
    if (!isWithin(projectRoot, real)) {
      const message = `"files" names ${name}, a symbolic link that leads out of the project, to ${real}; list files of the project`;
      findings.push({ code: 'escapes', message, file: pack.file, pointer: '/files' });
    }
    return [{ path: name, mode: 'l', sha256: createHash('sha256').update(text).digest('hex') }];
  } catch {
    // Leads nowhere: nothing can be read through it.
    return [];
  }
}

/** @throws what is no {@link UnpinnableFile}. */
export function pinFinding(error: unknown, file: string): Finding {
  if (!(error instanceof UnpinnableFile)) throw error;
  return { code: error.code, message: error.message, file };
}
