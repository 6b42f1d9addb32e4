import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addDispatchFlags, addPackFlags } from '../dispatch-flags.ts';
import type { ExecFlags } from '../exec-pack.ts';
import { choice, single } from '../flags.ts';

export interface TryFlags extends Omit<ExecFlags, 'event'> {
  /** A file, or `-` for stdin. */
  readonly event?: string;
  readonly watch?: boolean;
  /** commander's spelling of `--no-trace`. */
  readonly trace?: boolean;
}

export function addTry(program: Command, { io, finish }: Context): void {
  const command = program
    .command('try')
    .summary('run one hook on an event and show everything that its author wants to know')
    .description(
      'Runs one hook alone and shows the envelope as the hook got it, its answer and what would come of it, where the ' +
        'time went, what was enforced, and what the sandbox refused it, with the flag that would grant it. Packs of the ' +
        'project are taken as they are: naming a hook here is the leave to run it, inside the wall.',
    )
    .usage('[options] --event FILE HOOK\n       hookcell try [options] --event FILE -- PROGRAM [ARGS...]')
    .argument('[hook...]', 'a hook, as PACK/ID or as an ID that no other has; or a program without a pack, after --')
    .addOption(single('--event <file>', 'the event as JSON; - for stdin'))
    .option('--watch', 'run again whenever the pack, the script or the event is saved')
    .option('--no-trace', 'do not look for what the sandbox refuses: true times')
    .addOption(
      choice('--decide <how>', 'of a program without a pack: exit-code for checks without JSON', ['json', 'exit-code']),
    )
    .option('--shell', 'the single argument after -- is a line for /bin/sh');
  addDispatchFlags(addPackFlags(command), 'print everything as one line of JSON')
    .addHelpText('after', help)
    .action(async (words: string[], flags: TryFlags) => {
      const { runTry } = await import('../try.ts');
      finish(await runTry(io, words, flags));
    });
}

const help = `
Examples:
  hookcell try guard/check --event .hookcell/events/guard.json
  hookcell try check --event event.json --watch
  hookcell try --event event.json --read /etc/hosts -- python3 check.py
  hookcell try check --event event.json --json | jq .trace.refusals

Exit codes:
  0  the hook answered, or had no opinion
  1  it could not be asked, or the event is not for it
  64 usage
  65 a bad event or pack, or no such hook
  69 no sandbox
  78 a bad configuration`;
