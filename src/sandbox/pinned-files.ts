import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import type { Program } from './policy.ts';

/** Why a program whose files are not where they were found must not be launched; `undefined` when all is well. */
export function displacedFile({ binds, overlays = [] }: Program): string | undefined {
  const moved = binds.find((path) => realPathOf(path) !== path);
  if (moved !== undefined) {
    return `the program's file ${moved} is gone, or leads through a symbolic link that was not there when it was found`;
  }
  const displaced = overlays.find(({ target }) => realPathOf(target) !== target || !lstatSync(target).isFile());
  if (displaced === undefined) return undefined;
  return `the pinned file ${displaced.target} is gone, no regular file any more, or leads through a symbolic link that was not there when it was read`;
}

/** Without a wall nothing can be bound over a file; looking once more right before the launch is the next best. */
export function changedOverlay({ overlays = [] }: Program): string | undefined {
  const changed = overlays.find(({ source, target }) => !readFileSync(source).equals(readFileSync(target)));
  return changed === undefined ? undefined : `the pinned file ${changed.target} was changed since it was read`;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
