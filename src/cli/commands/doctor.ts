import type { Command } from 'commander';
import { paintFor } from '../colour.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../flags.ts';
import { write } from '../io.ts';
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
    .addHelpText('after', help)
    .action(async (flags: { readonly json?: boolean }) => {
      const capabilities = await readCapabilities();
      const text =
        flags.json === true ? JSON.stringify(capabilities) : capabilitiesText(capabilities, paintFor('stdout', io));
      await write(io.stdout, `${text}\n`);
      if (capabilities.selected === undefined) finish(exitCodes.unavailable);
      else finish(shortcomings(capabilities) ? exitCodes.findings : exitCodes.ok);
    });
}

const help = `
Examples:
  hookcell doctor
  hookcell doctor --json | jq .backends

Exit codes:
  0  everything is enforced
  1  the sandbox stands, but memory or process limits are weaker than they could be
  69 no sandbox: every controlling hook would block`;
