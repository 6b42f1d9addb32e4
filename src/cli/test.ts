import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { discoverProject } from '../executor/index.ts';
import { HookcellError } from '../protocol/index.ts';
import type { VectorCase, VectorResult } from '../testing/index.ts';
import { runVectors, vectorCases } from '../testing/index.ts';
import { badFlag, CliError } from './cli-error.ts';
import { paintFor } from './colour.ts';
import type { TestFlags } from './commands/test.ts';
import { exitCodes } from './exit-codes.ts';
import { given } from './given.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { githubAnnotations } from './vectors/github.ts';
import { jsonReport } from './vectors/json.ts';
import { junitReport } from './vectors/junit.ts';
import { peopleReport, summaryOf } from './vectors/people.ts';

/** Runs vectors and reports; returns the exit code. */
export async function runTest(io: Io, paths: readonly string[], flags: TestFlags): Promise<number> {
  const { update, reporter, json, backend, network, read, write: written } = flags;
  if (json === true && reporter !== undefined) throw badFlag('--reporter', 'expected it or --json, got both');
  const cases = await find(io, paths);
  const results = await runVectors(
    cases.map(({ name }) => name),
    {
      cwd: io.cwd,
      grant: given({ backend, network, read, write: written }),
      hostPath: io.env['PATH'] ?? '',
      signal: io.signal,
      ...given({ update }),
    },
  );
  const report = json === true ? jsonReport : reporters[reporter ?? 'human'];
  const text = report(results, io);
  if (text !== '') await write(io.stdout, `${text}\n`);
  await tell(io, summaryOf(results, paintFor('stderr', io)));
  return exitCodeOf(results);
}

function exitCodeOf(results: readonly VectorResult[]): number {
  if (results.every(({ status }) => status === 'passed' || status === 'updated')) return exitCodes.ok;
  const isUnavailable = results.some(({ findings }) => findings.some(({ code }) => code === 'sandbox_unavailable'));
  return isUnavailable ? exitCodes.unavailable : exitCodes.findings;
}

/** Results to the text of stdout. */
export type Report = (results: readonly VectorResult[], io: Io) => string;

const reporters: Readonly<Record<NonNullable<TestFlags['reporter']>, Report>> = {
  human: peopleReport,
  junit: junitReport,
  github: githubAnnotations,
};

/**
 * Without paths: those of this directory; where it has none, those in `.hookcell` of the project around it. Not all that lies
 * in that project: it may be a home with other people's repositories, for whose vectors no flag here was meant.
 */
async function find(io: Io, paths: readonly string[]): Promise<readonly VectorCase[]> {
  if (paths.length > 0) return findIn(io, paths);
  const cwd = realpathSync(io.cwd);
  const { root } = await discoverProject(cwd, () => false);
  try {
    return await findIn(io, ['.']);
  } catch (error) {
    const above = path.join(root, '.hookcell');
    if (root === cwd || !existsSync(above)) throw error;
    return findIn(io, [path.relative(cwd, above)]);
  }
}

async function findIn({ cwd }: Io, paths: readonly string[]): Promise<readonly VectorCase[]> {
  try {
    return await vectorCases(paths, { cwd });
  } catch (error) {
    if (error instanceof HookcellError) throw new CliError('data', error.message, error.findings);
    throw error;
  }
}
