import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory of this user alone (mode 0700), with those above it that are missing. One level at a time: Node's own
 * `recursive` never returns where a file system answers "no such file" below a directory that exists, as `/proc` does.
 *
 * @throws the error of the level that could not be made.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  const missing: string[] = [];
  for (let level = path; ; level = dirname(level)) {
    const failure = await tryMake(level);
    if (failure === undefined) break;
    if (failure.code !== 'ENOENT' || dirname(level) === level) throw failure;
    missing.push(level);
  }
  for (const level of missing.toReversed()) {
    const failure = await tryMake(level);
    if (failure !== undefined) throw failure;
  }
}

async function tryMake(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const failure: NodeJS.ErrnoException = error;
    return failure.code === 'EEXIST' ? undefined : failure;
  }
}
