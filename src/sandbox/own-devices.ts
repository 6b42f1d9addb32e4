import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { GroupOwner } from './cgroup/owner.ts';
import { makeRuntimeDirectory, sweepRuntimeDirectories } from './runtime-directory.ts';
import { sandboxId } from './view/static-files.ts';

/** What bubblewrap shows in `/dev`. */
export const deviceNames: readonly string[] = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/** A directory with devices for sandboxes alone, belonging to nobody. */
export interface OwnDevices {
  readonly directory: string;
  remove(): void;
}

/**
 * Makes devices for the children of an owner of the machine's: bubblewrap shows the machine's own ones, and whoever owns them may
 * change their modes without any capability, so a child of root could take `/dev/null` from everybody else. Gives `undefined` when
 * somebody else owns the machine's; throws when devices cannot be made. They lie in `/dev`, since other places refuse devices.
 */
export function makeOwnDevices(owner: GroupOwner): OwnDevices | undefined {
  if (statSync('/dev/null').uid !== process.getuid?.()) return undefined;
  sweepRuntimeDirectories(owner, '/dev');
  const directory = makeRuntimeDirectory(owner, '/dev');
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    // One process copies them all, as devices.
    const sources = deviceNames.map((name) => `/dev/${name}`);
    execFileSync('/bin/cp', ['-a', ...sources, directory], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    for (const name of deviceNames) {
      const path = join(directory, name);
      if (!statSync(path).isCharacterDevice()) throw new Error(`/dev/${name} is no device`);
      chmodSync(path, 0o666);
      chownSync(path, sandboxId, sandboxId);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { directory, remove };
}
