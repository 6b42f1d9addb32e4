import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import { exitCodeOf, exitCodes, failsClosed } from './exit-codes.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { packageVersion } from './package-files.ts';
import { createProgram } from './program.ts';
import { reportFailure } from './report-failure.ts';

/**
 * Runs one command line and returns its exit code. Never rejects: for `run` and `exec` whatever goes wrong is
 * "do not go on".
 */
export async function main(io: Io): Promise<number> {
  try {
    return await runCommand(io);
  } catch (error) {
    try {
      return await reportFailure(error, io);
    } catch {
      return exitCodeOf('internal', io.argv);
    }
  }
}

async function runCommand(io: Io): Promise<number> {
  let code: number | undefined;
  const program = createProgram({ io, finish: (value) => (code = value) }, packageVersion());
  const output: Captured = { asked: '', usage: '' };
  captureHelp(program, output);
  try {
    await program.parseAsync(unknownCommand(program, io.argv) ?? [...io.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (output.asked === '') {
      // No command at all: the list of them is what helps.
      if (error.code === 'commander.help') await tell(io, output.usage);
      throw error;
    }
    await showHelp(io, output.asked);
    return exitCodes.ok;
  }
  if (code === undefined) throw new Error('the command ended without an exit code');
  return code;
}

/** A command that there is none of, alone: with a word of help beside it commander would print the help of all. */
function unknownCommand({ commands }: Command, argv: readonly string[]): string[] | undefined {
  const name = argv[0] === 'help' ? argv[1] : argv[0];
  if (name === undefined || name.startsWith('-') || name === 'help') return undefined;
  return commands.some((command) => command.name() === name) ? undefined : [name];
}

/** Help or a version: on stdout for people, while an entry of a host that has such words in it is a broken one. */
async function showHelp(io: Io, text: string): Promise<void> {
  if (!failsClosed(io.argv) || io.stdin.isTTY === true) return write(io.stdout, text);
  await tell(io, text);
  throw new CliError('usage', 'help was asked for, and no hook. With stdin at a terminal this is no failure');
}

interface Captured {
  /** Help and version that were asked for. */
  asked: string;
  /** Help that commander adds to an error. */
  usage: string;
}

function captureHelp(command: Command, output: Captured): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => (output.asked += text),
    writeErr: (text) => (output.usage += text),
    outputError: () => undefined,
  });
  for (const child of command.commands) captureHelp(child, output);
}
