import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a version manager's shim stands for: the real program, or which command tells it. */
export type Shim =
  | { readonly kind: 'program'; readonly path: string }
  | { readonly kind: 'unresolved'; readonly remedy: string };

/**
 * Follows shims of pyenv, rbenv, nodenv and asdf to the program of the *operator's* global version. A shim would look into
 * the project for `.python-version`, `.tool-versions` and the like, and so let the repository choose what runs.
 * `undefined`: not a shim.
 */
export function followShim(path: string): Shim | undefined {
  const real = realpathSync(path);
  if (['mise', 'volta-shim', 'proto-shim'].includes(basename(real)) && basename(path) !== basename(real)) {
    const tool = basename(real).replace(/-shim$/, '');
    return { kind: 'unresolved', remedy: `name the real program instead; "${tool} which ${basename(path)}" prints it` };
  }
  const directory = dirname(path);
  if (basename(directory) !== 'shims') return undefined;
  const root = dirname(directory);
  const name = basename(path);
  return versionFileShim(root, name) ?? asdfShim(root, path, name) ?? unresolved(root, name);
}

/** `<root>/version` lists versions, one a line; the first that has the program wins. `system` means: look further. */
function versionFileShim(root: string, name: string): Shim | undefined {
  const text = readText(join(root, 'version'));
  if (text === undefined) return undefined;
  return text
    .split(/\s+/)
    .filter((version) => /^[\w.+-]+$/.test(version) && !/^\.+$/.test(version))
    .map((version) => installed(join(root, 'versions', version, 'bin', name)))
    .find((shim) => shim !== undefined);
}

/** An asdf shim names its plugin and versions in comments; the operator's own `.tool-versions` picks one. */
function asdfShim(root: string, path: string, name: string): Shim | undefined {
  const offers = [...(readText(path) ?? '').matchAll(/^# asdf-plugin: ([\w-]+) ([\w.+-]+)$/gm)];
  const chosen = readText(join(dirname(root), '.tool-versions')) ?? '';
  const wanted = new Set(chosen.split('\n').map((line) => line.trim().split(/\s+/).slice(0, 2).join(' ')));
  return [...offers.filter((offer) => wanted.has(`${offer[1]} ${offer[2]}`)), ...offers]
    .map((offer) => installed(join(root, 'installs', offer[1] ?? '', offer[2] ?? '', 'bin', name)))
    .find((shim) => shim !== undefined);
}

function installed(path: string): Shim | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? { kind: 'program', path } : undefined;
}

function unresolved(root: string, name: string): Shim {
  return {
    kind: 'unresolved',
    remedy: `${join(root, 'shims', name)} is a shim whose global version is not set: set one, or name the real program`,
  };
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).size > 65_536 ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
