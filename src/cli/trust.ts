import { realpathSync } from 'node:fs';
import path from 'node:path';
import { acceptProject, createIdleExecutor, inspectProject, openTrustStore } from '../executor/index.ts';
import type { Inspection, TrustStore } from '../executor/index.ts';
import { shownPath, visibleText } from '../protocol/index.ts';
import { badFlag, CliError } from './cli-error.ts';
import { paintFor } from './colour.ts';
import type { TrustFlags } from './commands/trust.ts';
import { executorOptions, stateDirectory } from './executor-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { programFindings } from './program-findings.ts';
import { findingLine } from './report-findings.ts';
import { askYes, canAsk } from './trust/ask.ts';
import { changeLines } from './trust/changes.ts';
import { inspectionDocument } from './trust/document.ts';
import { listRecords, revokeRecord } from './trust/records.ts';
import { requestLines } from './trust/requests.ts';

/** Accepts the packs of a project, or lists or takes back what was accepted; returns the exit code. */
export async function trust(io: Io, directory: string | undefined, flags: TrustFlags): Promise<number> {
  const store = openTrustStore(stateDirectory(io.env));
  if (flags.list === true) {
    refuseTogether(directory, flags, ['revoke', 'yes', 'agent']);
    return listRecords(io, store, flags);
  }
  if (flags.revoke === true) {
    refuseTogether(undefined, flags, ['yes', 'agent']);
    return revokeRecord(io, directory, store, flags);
  }
  const start = existingDirectory(io.cwd, directory);
  const agents = (flags.agent ?? []).map((file) => path.relative(start, path.resolve(start, file)));
  const found = await inspectProject(start, directory !== undefined, agents, store);
  const { parsed, pins } = found.set;
  const contentOf = (file: string): Uint8Array | undefined => pins.get(file)?.bytes;
  const programs = parsed.flatMap((pack) => programFindings(pack, io, found.project, contentOf));
  const inspection = { ...found, findings: [...found.findings, ...programs] };
  if (inspection.set.packs.length === 0 && inspection.findings.length === 0) throw noPacks(inspection);
  return decide(io, inspection, store, flags);
}

function refuseTogether(directory: string | undefined, flags: TrustFlags, others: readonly (keyof TrustFlags)[]): void {
  if (directory !== undefined) throw badFlag('--list', 'expected no directory beside it');
  const other = others.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw badFlag(`--${other}`, 'expected it without --list and --revoke');
}

function existingDirectory(cwd: string, directory: string | undefined): string {
  const named = path.resolve(cwd, directory ?? '.');
  try {
    return realpathSync(named);
  } catch {
    throw new CliError('data', `${named}: expected an existing directory`, [
      { code: 'missing_path', message: 'expected an existing directory', file: named },
    ]);
  }
}

function noPacks({ project, record }: Inspection): CliError {
  const message =
    record === undefined
      ? 'expected packs in .hookcell/hooks or .polpo/hooks here or above; begin with hookcell init'
      : 'every pack that was accepted here is gone; bring them back, or go on without: hookcell trust --revoke';
  return new CliError('data', `${project}: ${message}`, [{ code: 'no_packs', message, file: project }]);
}

async function decide(io: Io, inspection: Inspection, store: TrustStore, flags: TrustFlags): Promise<number> {
  const { project, isAccepted, findings } = inspection;
  const mayAsk = flags.json !== true && canAsk(io);
  if (flags.json !== true) await show(io, inspection);
  let accepted = false;
  if (findings.length === 0) {
    const isWanted =
      isAccepted ||
      (flags.yes === true && inspection.set.unpinned.length === 0) ||
      (flags.yes !== true && mayAsk && (await askYes(io, `Accept this for ${shownPath(project)}?`)));
    if (isWanted && !isAccepted) await acceptProject(inspection, store, new Date());
    accepted = isWanted;
  }
  if (flags.json === true) await write(io.stdout, `${JSON.stringify(inspectionDocument(inspection, accepted))}\n`);
  else {
    const left = accepted ? await stillBlocked(io, project) : [];
    await tell(io, [resultText(inspection, accepted, mayAsk), ...left].join('\n'));
  }
  return accepted ? exitCodes.ok : exitCodes.findings;
}

async function show(io: Io, inspection: Inspection): Promise<void> {
  const paint = paintFor('stdout', io);
  const { project, record } = inspection;
  const since = record === undefined ? 'nothing was accepted here before' : `accepted ${record.acceptedAt}`;
  const lines = [
    `${paint('bold', shownPath(project))} ${paint('dim', `(${since})`)}`,
    ...requestLines(inspection, paint),
    ...changeLines(inspection, paint),
    ...inspection.set.unpinned.map((finding) =>
      paint('yellow', visibleText(findingLine({ ...finding, file: shownPath(finding.file ?? '') }))),
    ),
  ];
  await write(io.stdout, `${lines.join('\n')}\n`);
}

/** To accept a pack grants it nothing: better said now than at the first event. */
async function stillBlocked(io: Io, project: string): Promise<readonly string[]> {
  try {
    const executor = await createIdleExecutor({ ...executorOptions(io, {}), projectRoot: project });
    try {
      return executor.list().hooks.flatMap(({ hook, problem }) => {
        if (problem === undefined) return [];
        return [visibleText(`hook ${hook.pack}/${hook.id} still blocks: ${problem.message}`)];
      });
    } finally {
      await executor.close();
    }
  } catch (error) {
    return [visibleText(`every hook still blocks: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

function resultText({ findings, set, isAccepted }: Inspection, accepted: boolean, mayAsk: boolean): string {
  if (findings.length > 0) {
    const lines = findings.map((finding) => findingLine({ ...finding, file: shownPath(finding.file ?? '') }));
    return [...lines.map(visibleText), 'not accepted: mend this first'].join('\n');
  }
  const count = `${set.entries.length} file${set.entries.length === 1 ? '' : 's'}`;
  if (isAccepted) return `unchanged: ${count}, as accepted`;
  if (accepted) return `accepted: ${count}`;
  if (set.unpinned.length > 0)
    return 'not accepted: --yes does not cover what cannot be pinned; name it in "files", or answer at a terminal without --yes';
  return mayAsk ? 'not accepted' : 'not accepted: there is no terminal to ask on; read the above, then pass --yes';
}
