import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { GroupOwner } from './cgroup/owner.ts';
import { makeRuntimeDirectory, sweepRuntimeDirectories } from './runtime-directory.ts';
import { sandboxId } from './view/static-files.ts';

/** Major and minor number of what bubblewrap shows in `/dev`. */
const devices: Readonly<Record<string, string>> = {
  null: '1 3',
  zero: '1 5',
  full: '1 7',
  random: '1 8',
  urandom: '1 9',
  tty: '5 0',
};

export const deviceNames: readonly string[] = Object.keys(devices);

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
    const lines = Object.entries(devices).map(([name, numbers]) => `mknod -m 666 ${name} c ${numbers}`);
    execFileSync('/bin/sh', ['-c', lines.join(' && ')], {
      cwd: directory,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for (const name of deviceNames) chownSync(join(directory, name), sandboxId, sandboxId);
  } catch (error) {
    remove();
    throw error;
  }
  return { directory, remove };
}
