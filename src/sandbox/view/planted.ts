import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';

import { findConfiguration, type WriteGrant } from './write-grant.ts';

/** What a run left in its write paths that it must not leave. */
export interface Planted {
  /** Agent or hook configuration that was not there before, under its new, inert name. */
  readonly setAside: readonly string[];
  /** Write paths that grew too large to search, or in which something could not be renamed. */
  readonly unchecked: readonly string[];
}

/**
 * Renames agent and hook configuration that a run created in its write paths, so that nothing obeys it. To be called when no
 * process of the run lives and before its outcome is returned. Nothing is deleted.
 */
export async function setAsidePlanted(grants: readonly WriteGrant[]): Promise<Planted> {
  const setAside: string[] = [];
  const unchecked: string[] = [];
  for (const grant of grants) {
    if (!grant.isDirectory) continue;
    const found = await findConfiguration(grant.path);
    if (found === undefined) unchecked.push(grant.path);
    for (const [path, identity] of found ?? []) {
      if (grant.configuration.get(path) === identity) continue;
      const inert = `${path}.set-aside-${randomBytes(4).toString('hex')}`;
      try {
        await rename(path, inert);
        setAside.push(inert);
      } catch {
        unchecked.push(path);
      }
    }
  }
  return { setAside, unchecked };
}
