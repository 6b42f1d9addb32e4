import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { write } from './io.ts';
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
  const output = { text: '' };
  captureHelp(program, output);
  try {
    await program.parseAsync([...io.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || output.text === '') throw error;
    // Help or version was asked for: an error writes nothing there.
    await write(io.stdout, output.text);
    return exitCodes.ok;
  }
  if (code === undefined) throw new Error('the command ended without an exit code');
  return code;
}

function captureHelp(command: Command, output: { text: string }): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => (output.text += text),
    writeErr: () => undefined,
    outputError: () => undefined,
  });
  for (const child of command.commands) captureHelp(child, output);
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}
