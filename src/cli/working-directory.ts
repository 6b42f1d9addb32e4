import { CliError } from './cli-error.ts';

/** @throws {CliError} when it was removed, or cannot be reached by this user. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `expected an existing one, got none (${why}): it was removed. Start in another directory`;
    const file = 'working directory';
    throw new CliError('configuration', `${file}: ${message}`, [{ code: 'no_working_directory', message, file }]);
  }
}
