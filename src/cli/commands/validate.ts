import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { jsonFlag } from '../flags.ts';

export interface ValidateFlags {
  readonly json?: boolean;
}

export function addValidate(program: Command, { io, finish }: Context): void {
  program
    .command('validate')
    .summary('check packs, with all findings')
    .description(
      'Checks pack files, or directories of them, without running anything. Default: the nearest .hookcell/hooks, here or ' +
        'in a directory above.',
    )
    .argument('[paths...]', 'pack files or directories')
    .addOption(jsonFlag('print the findings as one JSON document'))
    .addHelpText('after', help)
    .action(async (paths: string[], flags: ValidateFlags) => {
      const { validate } = await import('../validate.ts');
      finish(await validate(io, paths, flags));
    });
}

const help = `
Examples:
  hookcell validate
  hookcell validate .hookcell/hooks/quality.json --json

Exit codes:
  0  no findings
  1  findings, printed as file:line:column: message
  65 a path cannot be read, or holds no pack`;
