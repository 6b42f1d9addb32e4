import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { isInside } from '../view/paths.ts';

const systemDirectories = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Whether every sandbox shows this path anyway. */
export function isSystemPath(path: string): boolean {
  return systemDirectories.some((directory) => isInside(directory, path));
}

/**
 * What has to be bound read-only so that the program at `file` (an absolute path without symlinks on the way) can start:
 * the tightest installation prefix that is certain, otherwise the file alone. Never a home directory or one that holds homes.
 */
export function installationBinds(file: string, home: string): string[] {
  if (isSystemPath(file)) return [];
  if (isInside('/nix/store', file)) return ['/nix/store'];
  const cellar = file.indexOf('/Cellar/');
  if (cellar > 0) return homebrewBinds(file.slice(0, cellar));
  const prefix = installationPrefix(file);
  return prefix !== undefined && isTight(prefix, home) ? [prefix] : [file];
}

/** The directory above `bin`, when it looks like an installation: libraries beside `bin`, or a virtual environment. */
export function installationPrefix(file: string): string | undefined {
  const directory = dirname(file);
  if (!['bin', 'sbin'].includes(basename(directory))) return packagePrefix(file);
  const prefix = dirname(directory);
  const marks = ['lib', 'lib64', 'libexec', 'pyvenv.cfg', 'package.json'];
  return marks.some((mark) => existsSync(join(prefix, mark))) ? prefix : undefined;
}

/** A globally installed Node package lies below `<prefix>/lib/node_modules`: its neighbours may be its dependencies. */
function packagePrefix(file: string): string | undefined {
  const at = file.indexOf('/lib/node_modules/');
  return at > 0 ? file.slice(0, at + '/lib/node_modules'.length) : undefined;
}

function homebrewBinds(prefix: string): string[] {
  return ['Cellar', 'opt', 'lib', 'bin', 'share'].map((name) => join(prefix, name)).filter((path) => existsSync(path));
}

/** `~/.local`, `~/.cargo` and `~/.config` hold credentials beside programs; `/`, `/home`, `/opt` hold other people's things. */
function isTight(prefix: string, home: string): boolean {
  if (isInside(prefix, home) || prefix.split('/').length < 3) return false;
  const tooBroad = ['.local', '.cargo', '.config', '.npm', '.docker', '.ssh'].map((name) => join(home, name));
  return !tooBroad.includes(prefix) && !['/usr', '/etc', '/var'].includes(prefix) && dirname(prefix) !== '/home';
}
