import type { Inspection } from '../../executor/index.ts';
import { differenceLines } from './changes.ts';

/** What `--json` prints. */
export function inspectionDocument(inspection: Inspection, accepted: boolean): object {
  const { project, record, set, changes, findings, filesOf, now } = inspection;
  const before = record === undefined ? {} : { acceptedBefore: record.acceptedAt };
  const kinds = (['changed', 'added', 'removed'] as const).flatMap((kind) =>
    record === undefined ? [] : changes[kind].map((path) => ({ kind, path })),
  );
  return {
    version: 1,
    project,
    accepted,
    ...before,
    hash: set.hash,
    packs: set.parsed.map((pack) => ({
      name: pack.name,
      file: pack.file.slice(project.length + 1),
      required: pack.required,
      files: pack.files,
      reveal: pack.reveal,
      hooks: pack.hooks.map(({ id, event, mode, onFailure, matcher, sandbox, handler }) => ({
        id,
        event,
        mode,
        onFailure,
        matcher,
        sandbox,
        command: handler.command,
        ...(handler.args === undefined ? {} : { args: handler.args }),
        files: filesOf(pack.name, id),
      })),
    })),
    files: set.entries.map((entry) => ({ ...entry, bytes: now(entry.path)?.length ?? 0 })),
    changes: kinds.map(({ kind, path }) => ({ kind, path, diff: differenceLines(inspection, path) })),
    findings,
    unpinned: inspection.set.unpinned,
  };
}
