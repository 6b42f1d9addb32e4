import { Command } from 'commander';
import type { Context } from './context.ts';
import { addCapabilities } from './commands/capabilities.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExec } from './commands/exec.ts';
import { addExplain } from './commands/explain.ts';
import { addInit } from './commands/init.ts';
import { addList } from './commands/list.ts';
import { addRun } from './commands/run.ts';
import { addSchema } from './commands/schema.ts';
import { addTest } from './commands/test.ts';
import { addTrust } from './commands/trust.ts';
import { addTry } from './commands/try.ts';
import { addValidate } from './commands/validate.ts';

/** The whole command line. Commands load what they need when they run, so that help stays quick. */
export function createProgram(context: Context, version: string): Command {
  const program = new Command('hookcell')
    .description('Runs untrusted hook handlers in a sandbox: one event in, one decision out, fail closed.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ helpWidth: 100 })
    .addHelpText('after', rootHelp);
  for (const add of [
    addRun,
    addExec,
    addValidate,
    addList,
    addExplain,
    addDoctor,
    addCapabilities,
    addSchema,
    addInit,
    addTry,
    addTest,
    addTrust,
  ])
    add(program, context);
  return program;
}

const rootHelp = `
Environment:
  HOOKCELL_HOOKS=off  turns hooks off (the kill switch); recorded in the verdict, and packs
                      marked "required" then block. A configuration file can forbid it
  XDG_CONFIG_HOME     where hookcell/config.json of this user is (default ~/.config); the
                      system's is /etc/hookcell/config.json
  XDG_STATE_HOME      where hookcell/ of this user is, the key of this installation and what
                      was accepted (default ~/.local/state); has to be writable
  NO_COLOR, FORCE_COLOR

Exit codes:
  run, exec  0 go on, 2 do not go on, whatever the reason. An unknown command also
             exits 2, since it may be a misspelt hook entry, and so does their help
             where stdin is no terminal.
  others     0 fine, 1 findings, 64 usage, 65 bad data, 69 sandbox unavailable,
             70 internal error, 74 stdout could not be written, 78 bad configuration,
             130 interrupted`;
