import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { checkOperator } from '../../executor/index.ts';
import { configurationDirectory, stateDirectory } from '../executor-options.ts';
import type { Io } from '../io.ts';

/** What keeps every hook from running although the sandbox stands: what the operator keeps cannot be used. */
export async function directoryProblems(io: Io): Promise<string[]> {
  const { env } = io;
  const unusable = [
    problemOf('state', 'HOME or XDG_STATE_HOME', () => checkState(stateDirectory(env))),
    problemOf('configuration', 'HOME or XDG_CONFIG_HOME', () => checkReadable(configurationDirectory(env))),
  ].flatMap((problem) => problem ?? []);
  return unusable.length > 0 ? unusable : configurationProblems(io);
}

async function configurationProblems({ env, systemDirectory }: Io): Promise<string[]> {
  try {
    await checkOperator({ systemDirectory, userDirectory: configurationDirectory(env) });
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`The configuration cannot be used, so every hook would block: ${why}`];
  }
}

function problemOf(kind: string, variables: string, check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The ${kind} directory cannot be used, so every hook would block: ${why}; set ${variables} to a directory of this user`;
  }
}

/** The directory, or the nearest one above it in which it would be made. */
function checkState(directory: string): void {
  checkReadable(directory);
  let level = directory;
  while (!existsSync(level) && path.dirname(level) !== level) level = path.dirname(level);
  accessSync(level, constants.W_OK | constants.X_OK);
}

function checkReadable(directory: string): void {
  try {
    readdirSync(directory);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
