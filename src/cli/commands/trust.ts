import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { jsonFlag, repeatable } from '../flags.ts';

export interface TrustFlags {
  readonly agent?: readonly string[];
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addTrust(program: Command, { io, finish }: Context): void {
  program
    .command('trust')
    .summary('accept the packs of a project, after a look at what they ask for')
    .description(
      'Packs that lie in a project run only after they were accepted, as they were then: with their scripts, agent.json ' +
        'and the files that they list. Shows what they ask for and what changed since the last time.',
    )
    .argument('[dir]', 'the project (default: the one around this directory)')
    .option('--list', 'print every project that was accepted')
    .option('--revoke', 'forget what was accepted in this project')
    .option('--yes', 'accept without being asked; needed where no terminal is')
    .addOption(repeatable('--agent <file>', 'an agent.json in a place of its own that selects packs'))
    .addOption(jsonFlag('print one JSON document; asks nothing'))
    .addHelpText('after', help)
    .action(async (directory: string | undefined, flags: TrustFlags) => {
      const { trust } = await import('../trust.ts');
      finish(await trust(io, directory, flags));
    });
}

const help = `
Accepted is what is shown: the very bytes that were read. A file that is changed, added or removed
later blocks the events of guards until it is accepted, too. What a script reads or imports beside
that is not covered, unless the pack lists it in "files".

Examples:
  hookcell trust
  hookcell trust service --yes
  hookcell trust --list --json | jq -r '.projects[] | select(.state == "changed").project'
  hookcell trust --revoke

Exit codes:
  0  accepted, now or before; listed; revoked
  1  findings, not accepted, or nothing to revoke
  64 usage
  65 no packs here
  78 the records are not this user's alone`;
