import { realpathSync } from 'node:fs';
import path from 'node:path';
import { trustState } from '../../executor/index.ts';
import type { TrustStore } from '../../executor/index.ts';
import { shownPath } from '../../protocol/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { tell, write } from '../io.ts';

interface Printing {
  readonly json?: boolean;
}

/** Every project that was accepted, and whether it still is what was accepted. */
export async function listRecords(io: Io, store: TrustStore, { json }: Printing): Promise<number> {
  const projects = [];
  for (const record of store.list()) {
    const { project, acceptedAt, hash, entries, packs } = record;
    projects.push({ project, state: await trustState(record, store), acceptedAt, packs, files: entries.length, hash });
  }
  const lines = projects.map(
    ({ project, state, acceptedAt, files }) =>
      `${state.padEnd(9)} ${acceptedAt} ${shownPath(project)} (${files} file${files === 1 ? '' : 's'})`,
  );
  if (json === true) await write(io.stdout, `${JSON.stringify({ version: 1, projects })}\n`);
  else if (lines.length > 0) await write(io.stdout, `${lines.join('\n')}\n`);
  else await tell(io, 'nothing was accepted yet');
  return exitCodes.ok;
}

/** Forgets what was accepted in a project, be it gone by now; without a directory, in the outermost one around. */
export async function revokeRecord(
  io: Io,
  directory: string | undefined,
  store: TrustStore,
  { json }: Printing,
): Promise<number> {
  const named = path.resolve(io.cwd, directory ?? '.');
  const real = realPathOf(named);
  const project = directory === undefined ? (outermost(real, store) ?? real) : real;
  const revoked = await store.revoke(project);
  if (json === true) await write(io.stdout, `${JSON.stringify({ version: 1, project, revoked })}\n`);
  else await tell(io, `${shownPath(project)}: ${revoked ? 'not accepted any more' : 'nothing was accepted here'}`);
  return revoked ? exitCodes.ok : exitCodes.findings;
}

function outermost(start: string, store: TrustStore): string | undefined {
  let found: string | undefined;
  for (let level = start; ; level = path.dirname(level)) {
    if (store.has(level)) found = level;
    if (path.dirname(level) === level) return found;
  }
}

function realPathOf(named: string): string {
  try {
    return realpathSync(named);
  } catch {
    return named;
  }
}
