import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addDispatchFlags, addPackFlags, dispatchExitCodes } from '../dispatch-flags.ts';
import type { DispatchFlags } from '../flags.ts';
import { single } from '../flags.ts';

export function addRun(program: Command, { io, finish }: Context): void {
  const command = program
    .command('run')
    .summary('run the event on stdin through packs of hooks')
    .description("Reads one event as JSON from stdin, asks the hooks of the packs, and prints the host's answer.")
    .addOption(single('--event <name>', 'the event, when stdin is its bare data'));
  addDispatchFlags(addPackFlags(command))
    .addHelpText('after', help)
    .action(async (flags: DispatchFlags) => {
      const { dispatch } = await import('../dispatch.ts');
      finish(await dispatch({ io, flags }));
    });
}

const help = `
Examples:
  hookcell run --packs .hookcell/hooks < event.json
  hookcell run --packs quality.json --json < event.json | jq .outcomes
  echo '{"tool":"write","input":{"path":"a.txt"}}' | hookcell run --packs quality.json --event tool:before
${dispatchExitCodes}`;
