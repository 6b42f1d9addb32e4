import type { Command } from 'commander';
import { paintFor } from '../colour.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../flags.ts';
import { write } from '../io.ts';
import { readCapabilities } from '../read-capabilities.ts';
import { capabilitiesText } from '../report-capabilities.ts';

export function addCapabilities(program: Command, { io, finish }: Context): void {
  program
    .command('capabilities')
    .summary('print what this machine can enforce')
    .description("Prints the same document as the library's executor.capabilities(); doctor judges it, this does not.")
    .addOption(jsonFlag('print the document on one line'))
    .addHelpText('after', help)
    .action(async (flags: { readonly json?: boolean }) => {
      const capabilities = await readCapabilities();
      const text =
        flags.json === true ? JSON.stringify(capabilities) : capabilitiesText(capabilities, paintFor('stdout', io));
      await write(io.stdout, `${text}\n`);
      finish(exitCodes.ok);
    });
}

const help = `
Examples:
  hookcell capabilities
  hookcell capabilities --json | jq -r .selected

Exit codes:
  0  printed, whatever the machine can do
  70 it could not be found out`;
