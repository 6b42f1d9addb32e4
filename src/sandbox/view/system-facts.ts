import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { operatorHome } from '../home-directory.ts';
import { isInside } from './paths.ts';
import { privateProcFiles } from './proc-facts.ts';

/** What this machine's system directories look like; stable while a sandbox lives. */
export interface SystemFacts {
  /** `/bin`, `/lib64` and the like: a link into `/usr` on merged systems, else a directory of its own. */
  readonly topLevel: readonly { readonly path: string; readonly linkTo?: string }[];
  /** Existing paths below `/etc` that interpreters read. */
  readonly etc: readonly string[];
  /** Existing paths below `/etc` that name lookup and TLS read; shown only with network. */
  readonly networkEtc: readonly string[];
  /** Link of `/etc/localtime` into `/usr`: programs read the zone's name from it. */
  readonly localtimeLink?: string;
  /** `/bin/sh` comes from `/nix/store`, so nothing starts without it. */
  readonly needsNixStore: boolean;
  /** Files of `/proc` that are shown empty. */
  readonly hiddenProc: readonly string[];
  /** Directory of devices that are shown in place of the machine's. */
  readonly ownDevices?: string;
  /** The operator's home directory. */
  readonly home: string;
}

const topLevelNames = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const etcNames = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'timezone', 'os-release'];
const networkEtcNames = [
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates',
  'pki/tls',
  'pki/ca-trust',
  'resolv.conf',
  'hosts',
  'nsswitch.conf',
  'gai.conf',
  'host.conf',
  'services',
  'protocols',
];

/**
 * Looks at the system directories.
 * @param root `/`, or a recorded tree in tests
 * @param home the operator's home directory; looked up when absent
 */
export function systemFacts(root = '/', home = operatorHome()): SystemFacts {
  const etc = (names: readonly string[]) =>
    names.filter((name) => exists(join(root, 'etc', name))).map((name) => `/etc/${name}`);
  const localtime = linkTarget(join(root, 'etc/localtime'));
  const linked = localtime !== undefined && /^(?:\.\.)?\/usr\/share\/zoneinfo\//.test(localtime);
  return {
    topLevel: topLevelNames.flatMap((path) => topLevel(path, join(root, path))),
    etc: etc([...etcNames, ...javaConfiguration(join(root, 'etc')), ...(linked ? [] : ['localtime'])]),
    networkEtc: etc(networkEtcNames),
    ...(linked ? { localtimeLink: localtime } : {}),
    needsNixStore: isInside('/nix/store', realOr(join(root, 'bin/sh'))),
    hiddenProc: process.getuid?.() === 0 ? privateProcFiles() : [],
    home: realOr(home),
  };
}

function topLevel(path: string, actual: string): SystemFacts['topLevel'] {
  const link = linkTarget(actual);
  if (link !== undefined && /^\/?usr\//.test(link)) return [{ path, linkTo: link }];
  return exists(actual) ? [{ path }] : [];
}

/** The Java runtime of Debian keeps its security settings below `/etc` and does not start without them. */
function javaConfiguration(etc: string): string[] {
  try {
    return readdirSync(etc).filter((name) => /^java-\d+-openjdk$/.test(name));
  } catch {
    return [];
  }
}

function linkTarget(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
