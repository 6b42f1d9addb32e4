import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CliError } from './cli-error.ts';
import { decodeInput } from './read-stdin.ts';

/** @throws {CliError} for a file that cannot be read, or is not UTF-8. */
export function readEventFile(cwd: string, file: string): string {
  try {
    return decodeInput(readFileSync(path.resolve(cwd, file)), file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new CliError('data', `${file}: ${message}`, [{ code: 'unreadable', message, file }]);
  }
}
