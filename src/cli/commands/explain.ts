import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addDispatchFlags, addPackFlags } from '../dispatch-flags.ts';
import type { DispatchFlags } from '../flags.ts';
import { single } from '../flags.ts';

export function addExplain(program: Command, { io, finish }: Context): void {
  const command = program
    .command('explain')
    .summary('say which hooks would run on an event, which not, and why')
    .description(
      'Reads one event as JSON from a file or stdin and says what run would do with it. Runs nothing, and does ' +
        'not try the sandbox: what this machine can enforce is said by doctor.',
    )
    .argument('[eventfile]', 'the event; default stdin')
    .addOption(single('--event <name>', 'the event, when the input is its bare data'));
  addDispatchFlags(addPackFlags(command), 'print the explanation as one line of JSON')
    .addHelpText('after', help)
    .action(async (file: string | undefined, flags: DispatchFlags) => {
      const { explain } = await import('../explain.ts');
      finish(await explain(io, file, flags));
    });
}

const help = `
Examples:
  hookcell explain --packs .hookcell/hooks event.json
  hookcell explain --packs quality.json --json < event.json | jq '.hooks[].argv'

Exit codes:
  0  explained
  1  a hook that would run cannot be asked as things stand, or packs are not accepted
  64 usage
  65 a bad event, pack or agent.json
  78 a bad configuration`;
