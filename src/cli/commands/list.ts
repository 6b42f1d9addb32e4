import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addDispatchFlags, addPackFlags } from '../dispatch-flags.ts';
import type { DispatchFlags } from '../flags.ts';

export function addList(program: Command, { io, finish }: Context): void {
  const command = program
    .command('list')
    .summary('show the effective hooks, what each gets, and who said so')
    .description(
      'Lists the hooks of every layer in their order, with the origin of every value. Takes the flags of run; runs ' +
        'nothing, and does not try the sandbox: what this machine can enforce is said by doctor.',
    );
  addDispatchFlags(addPackFlags(command), 'print the list as one line of JSON')
    .addHelpText('after', help)
    .action(async (flags: DispatchFlags) => {
      const { list } = await import('../list.ts');
      finish(await list(io, flags));
    });
}

const help = `
Examples:
  hookcell list
  hookcell list --packs .hookcell/hooks --network host
  hookcell list --json | jq '.hooks[] | {hook, effective}'

Exit codes:
  0  listed
  1  a hook cannot be asked as things stand, or packs are not accepted
  64 usage
  65 a bad pack or agent.json
  78 a bad configuration`;
