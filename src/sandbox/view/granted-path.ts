import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { isConfigurationName } from './configuration-names.ts';
import { repositoryAround } from './git-directory.ts';
import { isInside } from './paths.ts';
import { viewProblem, type ViewProblem } from './problem.ts';
import { unenterableAbove } from './unenterable.ts';

/** A path that a policy names, resolved. */
export interface GrantedPath {
  /** As the policy names it. */
  readonly named: string;
  /** Without symbolic links; where it is bound. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Binding one of these, or what holds one, would undo the sandbox's own mounts. */
const ownMounts = ['/proc', '/sys', '/dev', '/tmp', '/home/hook', '/etc/passwd'];
const systemTrees = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/boot',
  '/nix',
  '/run',
  '/var/run',
  // What daemons and package managers obey.
  '/var/spool',
  '/var/backups',
  '/var/lib/apt',
  '/var/lib/docker',
  '/var/lib/dpkg',
  '/var/lib/systemd',
];
/** Everybody's: what is granted lies below. */
const sharedTrees = [
  '/home',
  '/media',
  '/mnt',
  '/opt',
  '/srv',
  '/var',
  '/var/cache',
  '/var/lib',
  '/var/log',
  '/var/tmp',
];
const kernelTrees = ['/proc', '/sys', '/dev'];

/** Resolves an existing path that becomes visible, or says why it cannot. */
export function readablePath(named: string): GrantedPath | ViewProblem {
  let path: string;
  let isDirectory: boolean;
  try {
    path = realpathSync(named);
    const stats = statSync(path);
    if (!stats.isFile() && !stats.isDirectory()) {
      return viewProblem(
        'path_special',
        `${named} is neither a file nor a directory`,
        'sockets and devices cannot be granted',
      );
    }
    isDirectory = stats.isDirectory();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return viewProblem(
      'path_missing',
      `the granted path ${named} cannot be used: ${why}`,
      'create it first, or take it out of the grant',
    );
  }
  if (ownMounts.some((own) => isInside(path, own)) || kernelTrees.some((tree) => isInside(tree, path))) {
    return viewProblem(
      'path_too_broad',
      `${path} cannot be shown as a whole: the sandbox has its own`,
      'grant what is needed below it',
    );
  }
  const barrier = unenterableAbove('/', path, new Map());
  if (barrier !== undefined) {
    return viewProblem(
      'path_unreachable',
      `${path} lies in ${barrier}, which belongs to another user and cannot be entered inside: root has no power over it there`,
      'run hookcell as its owner, or let others enter it (chmod o+x)',
    );
  }
  return { named, path, isDirectory };
}

/**
 * Resolves an existing path that the child may change.
 * @param projectRoot without symbolic links
 * @param home the operator's home directory, without symbolic links
 */
export function writablePath(named: string, projectRoot: string | undefined, home: string): GrantedPath | ViewProblem {
  const granted = readablePath(named);
  if ('ok' in granted) return granted;
  const { path } = granted;
  if (systemTrees.some((tree) => isInside(tree, path))) {
    return viewProblem('write_system', `${path} belongs to the system`, 'grant a directory of the project');
  }
  const spool =
    systemTrees.find((tree) => isInside(path, tree)) ??
    sharedTrees.find((tree) => tree === path && path !== projectRoot);
  if (spool !== undefined) {
    const what =
      spool === path ? 'is shared by all that runs on this machine' : `holds ${spool}, which belongs to the system`;
    return viewProblem('write_too_broad', `${path} ${what}`, 'grant a directory below it');
  }
  if (isInside(path, home)) {
    return viewProblem('write_too_broad', `${path} holds the home directory ${home}`, 'grant a directory below it');
  }
  if (projectRoot !== undefined && path !== projectRoot && isInside(path, projectRoot)) {
    return viewProblem(
      'write_too_broad',
      `${path} holds the project ${projectRoot}`,
      'grant the project or directories in it',
    );
  }
  const below = projectRoot !== undefined && isInside(projectRoot, path) ? path.slice(projectRoot.length) : path;
  const name = below.split('/').find((part) => isConfigurationName(part));
  if (name !== undefined) {
    return viewProblem(
      'write_configuration',
      `${path} is or lies in "${name}", which agents, git, editors or shells obey`,
      'such files cannot be granted for writing',
    );
  }
  const inProject = projectRoot !== undefined && isInside(projectRoot, path) && path !== projectRoot;
  const repository = repositoryAround(path, inProject ? projectRoot : dirname(path));
  if (repository !== undefined) {
    return viewProblem(
      'write_configuration',
      `${path} is or lies in the git repository ${repository}, whose configuration and hooks git obeys`,
      'such directories cannot be granted for writing',
    );
  }
  return granted;
}
