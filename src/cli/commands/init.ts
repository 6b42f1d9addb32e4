import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { choice, jsonFlag, single } from '../flags.ts';

export interface InitFlags {
  readonly name?: string;
  readonly language?: 'sh' | 'python' | 'node';
  readonly event?: string;
  readonly json?: boolean;
}

export function addInit(program: Command, { io, finish }: Context): void {
  program
    .command('init')
    .summary('write a working hook to start from, with its tests')
    .description(
      'Writes a pack, a script, an event and two golden vectors under .hookcell. They work at once; nothing that is ' +
        'there is overwritten.',
    )
    .argument('[dir]', 'the project (default: this directory)')
    .addOption(single('--name <name>', 'of the pack and of its files (default guard)'))
    .addOption(choice('--language <name>', 'of the script (default node)', ['sh', 'python', 'node']))
    .addOption(single('--event <name>', 'one that can be denied (default tool:before)'))
    .addOption(jsonFlag('print what was written as one JSON document'))
    .addHelpText('after', help)
    .action(async (directory: string | undefined, flags: InitFlags) => {
      const { init } = await import('../init.ts');
      finish(await init(io, directory ?? '.', flags));
    });
}

const help = `
Languages:
  node, python  the script reads the event as JSON
  sh            the script looks for text in the event, since sh cannot read JSON: good enough
                to deny too much, and it says so

Examples:
  hookcell init && hookcell test
  hookcell init --name commit-policy --language python
  hookcell init service --event prompt:submit

Exit codes:
  0  written
  64 a name, language or event that cannot be
  65 a file is in the way, or cannot be written; nothing was written`;
