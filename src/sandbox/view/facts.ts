import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Policy, Program } from '../policy.ts';
import { isSystemPath } from '../program/installation.ts';
import { closedDirectory, leadingDirectories, type ClosedDirectory } from './closed-directory.ts';
import { readablePath, writablePath, type GrantedPath } from './granted-path.ts';
import { isInside } from './paths.ts';
import { viewProblem, type ViewProblem } from './problem.ts';
import { secretCovers, type Cover } from './secrets.ts';
import type { StaticFiles } from './static-files.ts';
import type { SystemFacts } from './system-facts.ts';
import { writeGrant, type WriteGrant } from './write-grant.ts';

/** What a read path means in detail. */
export interface ReadGrant extends GrantedPath {
  /** What leads to a pinned file. */
  readonly closed: readonly ClosedDirectory[];
}

/** Everything about the file system that a view is made of. Plain data. */
export interface ViewFacts {
  readonly system: SystemFacts;
  readonly files: StaticFiles;
  /** Read-only: the project under `read`, its files under `files`, and the read paths. */
  readonly reads: readonly ReadGrant[];
  readonly writes: readonly WriteGrant[];
  readonly covers: readonly Cover[];
  /** What is best effort and was not complete, for the report. */
  readonly notes: readonly string[];
}

/** A mount costs time, and bubblewrap's cost grows with their number. */
const maxCovers = 500;
/** Of all closed directories that are only read: bubblewrap needs about 0.2 s for half of them, and four times that for all. */
const maxReadEntries = 1_024;

/**
 * Looks at the paths that a policy names. Before each launch: what exists may change.
 * @param program its pinned files stay where they are
 * @param system from `systemFacts()`, once per sandbox
 * @param files from `writeStaticFiles()`, once per sandbox
 */
export async function viewFacts(
  policy: Policy,
  program: Pick<Program, 'overlays'>,
  system: SystemFacts,
  files: StaticFiles,
): Promise<ViewFacts | ViewProblem> {
  const root = projectRootOf(policy);
  if (typeof root === 'object') return root;
  const reads: GrantedPath[] = [];
  for (const named of readNames(policy, root)) {
    const granted = readablePath(named);
    if ('ok' in granted) return granted;
    if (policy.project === 'files' && !isVisibleFile(granted.path, policy, root, named)) {
      return viewProblem(
        'file_escapes',
        `the project file ${named} leads to ${granted.path}, outside the project`,
        'list a file of the project; paths outside it are granted by read paths',
      );
    }
    if (policy.readPaths.includes(named) && granted.path !== named) return linkProblem(granted);
    reads.push(granted);
  }
  const writable: GrantedPath[] = [];
  for (const named of policy.writePaths) {
    const granted = writablePath(named, root, system.home);
    if ('ok' in granted) return granted;
    if (granted.path !== named) return linkProblem(granted);
    writable.push(granted);
  }
  const pinned = (program.overlays ?? []).map(({ target }) => target).filter((target) => !isSystemPath(target));
  const leading = leadingDirectories([...reads, ...writable], pinned);
  const paths = writable.map(({ path }) => path);
  const writes: WriteGrant[] = [];
  for (const granted of writable) {
    const grant = await writeGrant(granted, root, paths, leading.get(granted.path));
    if ('ok' in grant) return grant;
    writes.push(grant);
  }
  const ofReads = new Map([...leading].filter(([path]) => !writable.some((other) => other.path === path)));
  const closed = await readGrants(reads, ofReads);
  return 'ok' in closed ? closed : withCovers({ system, files, reads: closed, writes });
}

async function readGrants(
  reads: readonly GrantedPath[],
  leading: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly ReadGrant[] | ViewProblem> {
  const grants: ReadGrant[] = [];
  let left = maxReadEntries;
  for (const granted of reads) {
    const closed: ClosedDirectory[] = [];
    for (const path of leading.get(granted.path) ?? []) {
      const directory = await closedDirectory(path, () => false);
      left -= directory.entries.length;
      if (left < 0) {
        return viewProblem(
          'read_too_large',
          `the directories that lead to the program's accepted files hold more than ${maxReadEntries} entries, ${path} among them`,
          'list the project files that the program needs (project "files"), or move its files to a smaller directory',
        );
      }
      closed.push(directory);
    }
    grants.push({ ...granted, closed });
  }
  return grants;
}

/** Policies name real paths. A link there now was put there afterwards, perhaps by a handler that may write beside it. */
function linkProblem({ named, path }: GrantedPath): ViewProblem {
  return viewProblem(
    'path_is_link',
    `the granted path ${named} leads through a symbolic link to ${path}`,
    'grant the real path, if it is what you mean',
  );
}

function projectRootOf(policy: Policy): string | undefined | ViewProblem {
  if (policy.projectRoot === undefined) {
    if (policy.project === 'none') return undefined;
    return viewProblem(
      'no_project',
      `the view "${policy.project}" needs a project root`,
      'name one, or ask for the view "none"',
    );
  }
  try {
    return realpathSync(policy.projectRoot);
  } catch {
    return viewProblem(
      'path_missing',
      `the project ${policy.projectRoot} does not exist`,
      'start in an existing directory',
    );
  }
}

function readNames(policy: Policy, root: string | undefined): string[] {
  if (root === undefined || policy.project === 'none') return [...policy.readPaths];
  const project = policy.project === 'read' ? [root] : policy.projectFiles.map((file) => resolve(root, file));
  return [...project, ...policy.readPaths];
}

/** A symbolic link in the project must not show what lies outside. */
function isVisibleFile(path: string, policy: Policy, root: string | undefined, named: string): boolean {
  return root === undefined || policy.readPaths.includes(named) || isInside(root, path);
}

async function withCovers(facts: Omit<ViewFacts, 'covers' | 'notes'>): Promise<ViewFacts | ViewProblem> {
  const { reads, writes, files } = facts;
  const granted = [...reads, ...writes];
  const covers = new Map<string, Cover>();
  const notes: string[] = [];
  for (const { path, isDirectory } of granted) {
    if (!isDirectory) continue;
    // A tree inside another one is searched with it, but its own search goes deeper.
    const found = await secretCovers(path, files);
    for (const cover of found.covers) covers.set(cover.target, cover);
    if (!found.complete)
      notes.push(
        `${path} is too large to be searched for secret files, pipes and sockets as a whole: some may be visible`,
      );
    if (isInside(path, files.directory))
      covers.set(files.directory, { target: files.directory, source: files.emptyDirectory });
  }
  // Naming a secret file itself is a grant of it.
  for (const { path } of granted) covers.delete(path);
  if (covers.size > maxCovers) {
    return viewProblem(
      'too_many_secrets',
      `more than ${maxCovers} files look like secrets or are pipes or sockets, the first is ${[...covers.keys()][0] ?? ''}`,
      'list the project files that the program needs (project "files")',
    );
  }
  return { ...facts, covers: [...covers.values()], notes };
}
