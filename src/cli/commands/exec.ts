import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addDispatchFlags, dispatchExitCodes } from '../dispatch-flags.ts';
import type { ExecFlags } from '../exec-pack.ts';
import { choice, single } from '../flags.ts';

export function addExec(program: Command, { io, finish }: Context): void {
  const command = program
    .command('exec')
    .summary('run the event on stdin through one program as a hook')
    .description('Wraps one program as a hook: the drop-in for the hook entry of an existing host.')
    .usage('[options] -- PROGRAM [ARGS...]')
    .argument('<program...>', 'the program and its arguments')
    .passThroughOptions()
    .addOption(single('--event <name>', 'the event, when stdin is its bare data'))
    .addOption(choice('--mode <mode>', 'observe: it only watches (default control)', ['control', 'observe']))
    .addOption(
      choice('--decide <how>', 'exit-code: exit 0 allows, exit 1 denies, stdout is ignored (default json)', [
        'json',
        'exit-code',
      ]),
    )
    .addOption(
      choice('--on-empty <meaning>', 'what no output with exit 0 means (default fail)', ['fail', 'no-opinion']),
    )
    .addOption(choice('--on-failure <policy>', 'what a failure to ask means (default block)', ['block', 'continue']))
    .option('--shell', 'the single argument is a line for /bin/sh');
  addDispatchFlags(command)
    .addHelpText('after', help)
    .action(async (argv: string[], flags: ExecFlags) => {
      const { dispatch } = await import('../dispatch.ts');
      finish(await dispatch({ io, flags, argv }));
    });
}

const help = `
Examples:
  hookcell exec -- ./scripts/check-write.mjs < event.json
  hookcell exec --event tool:before --decide exit-code --shell -- '! grep -q secret' < data.json
  hookcell exec --timeout-ms 2000 --project none -- python3 /opt/policy/check.py < event.json
${dispatchExitCodes}`;
