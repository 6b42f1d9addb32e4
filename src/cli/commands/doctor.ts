import type { Command } from 'commander';
import type { Capabilities } from '../../sandbox/index.ts';
import { badFlag } from '../cli-error.ts';
import { paintFor } from '../colour.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../flags.ts';
import { directoryProblems } from '../doctor/directories.ts';
import type { Io } from '../io.ts';
import { tell, write } from '../io.ts';
import { readCapabilities } from '../read-capabilities.ts';
import { capabilitiesText, shortcomings } from '../report-capabilities.ts';

export function addDoctor(program: Command, { io, finish }: Context): void {
  program
    .command('doctor')
    .summary('say what this machine can enforce, and how to mend what it cannot')
    .description(
      'Tries the sandbox with its real arguments and says what is enforced, what is not, why, and the remedy.',
    )
    .addOption(jsonFlag('print the capabilities document on one line'))
    .option('--report', 'print a report for an issue, without names of users and hosts, paths of homes, and values')
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => {
      if (flags.json === true && flags.report === true) throw badFlag('--report', 'expected it or --json, got both');
      const capabilities = await readCapabilities();
      const problems = await directoryProblems(io);
      await write(io.stdout, `${await textOf(capabilities, io, flags, problems)}\n`);
      if (capabilities.selected === undefined) finish(exitCodes.unavailable);
      else if (problems.length > 0) finish(exitCodes.configuration);
      else finish(shortcomings(capabilities).length > 0 ? exitCodes.findings : exitCodes.ok);
    });
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly report?: boolean;
}

async function textOf(
  capabilities: Capabilities,
  io: Io,
  { json, report }: DoctorFlags,
  problems: readonly string[],
): Promise<string> {
  if (json === true) {
    if (problems.length > 0) await tell(io, problems.join('\n'));
    return JSON.stringify(capabilities);
  }
  if (report !== true) return capabilitiesText(capabilities, paintFor('stdout', io), problems);
  const { issueReport } = await import('../doctor/report.ts');
  return issueReport(io, capabilities, problems);
}

const help = `
Examples:
  hookcell doctor
  hookcell doctor --json | jq .backends
  hookcell doctor --report > report.md

Exit codes:
  0  everything is enforced
  1  the sandbox stands, but no cgroup holds the limits of memory or processes: hooks run
  69 no sandbox: every controlling hook would block
  78 the state directory or the operator's configuration cannot be used: every hook would block`;
