import path from 'node:path';
import { programRemedy } from '../executor/index.ts';
import type { Finding, ResolvedPack } from '../protocol/index.ts';
import { resolveProgram } from '../sandbox/index.ts';
import { given } from './given.ts';
import type { Io } from './io.ts';

/**
 * Programs that could not be launched: better said now than at the first event.
 *
 * @param contentOf what was read of a file already, and counts instead of what is there now
 */
export function programFindings(
  { file, hooks }: ResolvedPack,
  io: Io,
  projectRoot: string,
  contentOf: (file: string) => Uint8Array | undefined = () => undefined,
): Finding[] {
  return hooks.flatMap(({ id, at, handler: { command, args } }): Finding[] => {
    const hostPath = io.env['PATH'];
    const named = { file: path.resolve(io.cwd, file), words: [command, args ?? []].flat() };
    const found = programRemedy(
      resolveProgram({ command, projectRoot, contentOf, ...given({ args, hostPath }) }),
      named,
      projectRoot,
    );
    if (found.ok) return [];
    return [
      { code: found.code, message: `hook "${id}" cannot be launched: ${found.message}; ${found.remedy}`, file, ...at },
    ];
  });
}
