import type { Command } from 'commander';
import { readdirSync, readFileSync } from 'node:fs';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../flags.ts';
import { write } from '../io.ts';
import { schemaDirectory } from '../package-files.ts';

const suffix = '.schema.json';

export function addSchema(program: Command, { io, finish }: Context): void {
  program
    .command('schema')
    .summary('print a JSON Schema')
    .description('Prints a JSON Schema by name; without a name, the names.')
    .argument('[name]', 'which schema')
    .addOption(jsonFlag('print the names as JSON'))
    .addHelpText('after', help)
    .action(async (name: string | undefined, flags: { readonly json?: boolean }) => {
      const names = schemaNames();
      if (name === undefined) {
        await write(
          io.stdout,
          flags.json === true ? `${JSON.stringify({ version: 1, schemas: names })}\n` : lines(names),
        );
      } else if (names.includes(name)) {
        await write(io.stdout, readFileSync(new URL(`${name}${suffix}`, schemaDirectory), 'utf8'));
      } else {
        throw new CliError('usage', `expected one of the schemas ${names.join(', ')}, got ${JSON.stringify(name)}`);
      }
      finish(exitCodes.ok);
    });
}

function schemaNames(): string[] {
  const files = readdirSync(schemaDirectory).filter((file) => file.endsWith(suffix));
  return files.map((file) => file.slice(0, -suffix.length)).toSorted();
}

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('');
}

const help = `
Examples:
  hookcell schema
  hookcell schema pack > pack.schema.json

Exit codes:
  0  printed
  64 no such schema`;
