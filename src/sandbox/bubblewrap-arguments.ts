import { isInside } from './view/paths.ts';
import type { Mount } from './view/mounts.ts';
import { sandboxId } from './view/static-files.ts';

export interface BubblewrapInput {
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Falls back to `/` where the view does not hold it. */
  readonly cwd: string;
  readonly network: 'none' | 'host';
  /** Descriptors that bubblewrap inherits. */
  readonly descriptors: { readonly seccomp?: number; readonly jsonStatus?: number };
}

/** What no policy changes. */
const wall =
  `--unshare-user --uid ${sandboxId} --gid ${sandboxId} --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup
--cap-drop ALL --new-session --die-with-parent --hostname sandbox`.split(/\s+/);

/**
 * Options for bubblewrap's `--args`, without the program, which comes on its own command line after `--`.
 * Written for bubblewrap 0.8.
 */
export function bubblewrapArguments(input: BubblewrapInput): string[] {
  const { descriptors } = input;
  return [
    ...wall,
    ...(input.network === 'none' ? ['--unshare-net'] : []),
    '--clearenv',
    ...Object.entries(input.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...input.mounts.flatMap((mount) => mountArguments(mount)),
    '--chdir',
    isVisible(input.cwd, input.mounts) ? input.cwd : '/',
    ...(descriptors.seccomp === undefined ? [] : ['--seccomp', `${descriptors.seccomp}`]),
    ...(descriptors.jsonStatus === undefined ? [] : ['--json-status-fd', `${descriptors.jsonStatus}`]),
  ];
}

/** The form that `--args FD` reads: each option ends with a NUL. */
export function encodeArguments(options: readonly string[]): Uint8Array {
  if (options.some((option) => option.includes('\0')))
    throw new TypeError('an option of bubblewrap holds a NUL character');
  return new TextEncoder().encode(options.map((option) => `${option}\0`).join(''));
}

function mountArguments(mount: Mount): string[] {
  switch (mount.type) {
    case 'ro-bind':
    case 'ro-bind-try':
    case 'bind':
    case 'dev-bind':
      return [`--${mount.type}`, mount.source, mount.target];
    case 'tmpfs':
      return ['--size', `${mount.bytes}`, '--tmpfs', mount.target];
    case 'symlink':
      return ['--symlink', mount.linkTo, mount.target];
    default:
      return [`--${mount.type}`, mount.target];
  }
}

/** A directory exists inside when a bind shows it, or when bubblewrap made it on the way to a mount point. */
function isVisible(directory: string, mounts: readonly Mount[]): boolean {
  return mounts.some(({ type, target }) => {
    const shows = (type === 'bind' || type === 'ro-bind' || type === 'ro-bind-try') && isInside(target, directory);
    return shows || (type !== 'remount-ro' && isInside(directory, target));
  });
}
