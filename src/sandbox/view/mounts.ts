import { sandboxHome } from '../environment.ts';
import { deviceNames } from '../own-devices.ts';
import type { Policy, Program } from '../policy.ts';
import { isSystemPath } from '../program/installation.ts';
import type { ReadGrant, ViewFacts } from './facts.ts';
import { isInside } from './paths.ts';
import type { ClosedDirectory } from './closed-directory.ts';
import { between, type WriteGrant } from './write-grant.ts';

/** One step of building the view, in order. All paths are absolute. */
export type Mount =
  | { readonly type: 'ro-bind' | 'ro-bind-try' | 'bind' | 'dev-bind'; readonly source: string; readonly target: string }
  | { readonly type: 'tmpfs'; readonly target: string; readonly bytes: number }
  | { readonly type: 'symlink'; readonly linkTo: string; readonly target: string }
  | { readonly type: 'proc' | 'dev' | 'remount-ro'; readonly target: string };

/** A closed directory holds mount points and symbolic links only. */
const closedDirectoryBytes = 1_048_576;

/** The whole view of one child, from nothing. Pure: the file system was looked at by `viewFacts`. */
export function viewMounts(policy: Policy, program: Program, facts: ViewFacts): Mount[] {
  const closed = [...facts.reads, ...facts.writes].flatMap((grant) => grant.closed);
  const covers = facts.covers.map(({ source, target }) => readOnly(source, target));
  const overlays = overlayMounts(program, facts);
  // The real file is not mounted below what stands for it: a rename over that file would take its stand-in away.
  const replaced = new Set([...covers, ...overlays].map(({ target }) => target));
  return [
    ...systemMounts(policy, facts),
    ...scratchMounts(policy),
    ...grantMounts(program, facts, replaced),
    ...programMounts(program, facts).filter(({ target }) => !replaced.has(target)),
    ...covers,
    ...overlays,
    ...linkMounts(facts),
    // Last: these file systems hold the mount points of the rest. A writable `/proc` would let a program rewrite the memory of
    // the sandbox's first process, and, as a child of root, change the modes of entries that the whole machine shares.
    ...[...closed.map(({ path }) => path), '/proc', '/dev', '/'].map((target): Mount => ({
      type: 'remount-ro',
      target,
    })),
  ];
}

function systemMounts(policy: Policy, { system, files }: ViewFacts): Mount[] {
  const etc = policy.network === 'none' ? system.etc : [...system.etc, ...system.networkEtc];
  const link = system.localtimeLink;
  return [
    readOnly('/usr'),
    ...system.topLevel.map(({ path, linkTo }): Mount =>
      linkTo === undefined ? readOnly(path) : { type: 'symlink', linkTo, target: path },
    ),
    ...(system.needsNixStore ? [readOnly('/nix/store')] : []),
    ...etc.map((path) => readOnly(path)),
    ...(link === undefined ? [] : [{ type: 'symlink', linkTo: link, target: '/etc/localtime' } as const]),
    readOnly(files.passwd, '/etc/passwd'),
    readOnly(files.group, '/etc/group'),
    { type: 'proc', target: '/proc' },
    ...system.hiddenProc.map((path) => readOnly(files.emptyFile, path)),
    { type: 'dev', target: '/dev' },
    ...deviceMounts(system.ownDevices),
  ];
}

function deviceMounts(directory: string | undefined): Mount[] {
  if (directory === undefined) return [];
  return deviceNames.map((name): Mount => ({
    type: 'dev-bind',
    source: `${directory}/${name}`,
    target: `/dev/${name}`,
  }));
}

function scratchMounts({ limits }: Policy): Mount[] {
  return ['/tmp', sandboxHome].map((target): Mount => ({ type: 'tmpfs', target, bytes: limits.tmpBytes }));
}

/** Outer paths first, so that a grant inside another one holds. */
function grantMounts(program: Program, { reads, writes }: ViewFacts, replaced: ReadonlySet<string>): Mount[] {
  const held = [...program.binds, ...reads.map(({ path }) => path), ...writes.map(({ path }) => path)];
  const readSteps = reads.map((grant) => ({ path: grant.path, mounts: readMounts(grant, replaced) }));
  const writeSteps = writes.map((grant) => ({ path: grant.path, mounts: writeMounts(grant, held, replaced) }));
  return [...readSteps, ...writeSteps]
    .filter(({ path }) => !isSystemPath(path) && !replaced.has(path))
    .toSorted((one, other) => depth(one.path) - depth(other.path))
    .flatMap(({ mounts }) => mounts);
}

/** A read path, or its closed directories, outer ones first. */
function readMounts({ path, closed }: ReadGrant, replaced: ReadonlySet<string>): Mount[] {
  if (closed.length === 0) return [readOnly(path)];
  const apart = new Set([...replaced, ...closed.map((directory) => directory.path)]);
  return (
    closed
      .toSorted((one, other) => depth(one.path) - depth(other.path))
      .flatMap((directory) => closedMounts(directory, apart))
      // What vanished meanwhile is left out.
      .map((mount) => (mount.type === 'ro-bind' ? { ...mount, type: 'ro-bind-try' } : mount))
  );
}

/** A write path, its closed directories, and every directory in it that must keep its place, outer ones first. */
function writeMounts(grant: WriteGrant, held: readonly string[], replaced: ReadonlySet<string>): Mount[] {
  const closed = new Map(grant.closed.map((directory) => [directory.path, directory]));
  const apart = new Set([...replaced, ...closed.keys()]);
  const steps = new Set([grant.path, ...closed.keys(), ...pinned(grant, [...closed.keys(), ...held])]);
  return [...steps]
    .toSorted((one, other) => depth(one) - depth(other))
    .flatMap((path) => {
      const directory = closed.get(path);
      return directory === undefined ? [writable(path)] : closedMounts(directory, apart);
    });
}

/**
 * Directories on the way from a write path to what is mounted in it. Bound onto themselves they cannot be renamed, so that
 * nobody can put another tree at the path of a protected one. Configuration is read-only as a whole and stays out of it.
 */
function pinned(grant: WriteGrant, held: readonly string[]): string[] {
  const inside = held.filter((path) => path !== grant.path && isInside(grant.path, path));
  return inside
    .filter((path) => ![...grant.configuration.keys()].some((configuration) => isInside(configuration, path)))
    .flatMap((path) => between(grant.path, path));
}

/** @param apart what is mounted by itself */
function closedMounts({ path, entries }: ClosedDirectory, apart: ReadonlySet<string>): Mount[] {
  const shown = entries.filter((entry) => !apart.has(entry.path));
  const mounts = shown.map((entry): Mount => {
    if (entry.linkTo !== undefined) return { type: 'symlink', linkTo: entry.linkTo, target: entry.path };
    return entry.kind === 'writable' ? writable(entry.path) : readOnly(entry.path);
  });
  return [{ type: 'tmpfs', target: path, bytes: closedDirectoryBytes }, ...mounts];
}

/** The program and its interpreters, read-only even where the child may write. */
function programMounts(program: Program, { reads, writes }: ViewFacts): Mount[] {
  return program.binds
    .filter((path) => !isSystemPath(path))
    .filter(
      (path) => writes.some((write) => isInside(write.path, path)) || !reads.some((read) => isInside(read.path, path)),
    )
    .map((path) => readOnly(path));
}

/** Pinned content over what is visible anyway. A cover stays: the content of a secret must not come back by being pinned. */
function overlayMounts({ binds, overlays = [] }: Program, { reads, writes, covers }: ViewFacts): Mount[] {
  const shown = [...binds, ...reads.map(({ path }) => path), ...writes.map(({ path }) => path)];
  return overlays
    .filter(({ target }) => shown.some((path) => isInside(path, target)) && !isSystemPath(target))
    .filter(({ target }) => !covers.some((cover) => isInside(cover.target, target)))
    .map(({ source, target }) => readOnly(source, target));
}

/** A granted path that was named through symbolic links is also found under its name. */
function linkMounts({ reads, writes }: ViewFacts): Mount[] {
  const granted = [...reads, ...writes];
  const shown = (path: string) => isSystemPath(path) || granted.some((other) => isInside(other.path, path));
  return granted
    .filter(({ named, path }) => named !== path && !shown(named))
    .map(({ named, path }): Mount => ({ type: 'symlink', linkTo: path, target: named }));
}

function readOnly(source: string, target = source): Mount {
  return { type: 'ro-bind', source, target };
}

function writable(path: string): Mount {
  return { type: 'bind', source: path, target: path };
}

function depth(path: string): number {
  return path.split('/').length;
}
