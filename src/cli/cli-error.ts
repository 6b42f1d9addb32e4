import type { Finding } from '../protocol/index.ts';
import type { ExitReason } from './exit-codes.ts';

/** What stops a command: whose mistake it is decides the exit code, the findings say where and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly reason: ExitReason;
  readonly findings: readonly Finding[];

  constructor(reason: ExitReason, message: string, findings: readonly Finding[] = []) {
    super(message);
    this.reason = reason;
    this.findings = findings;
  }
}

/** A flag with a bad value. */
export function badFlag(flag: string, message: string): CliError {
  return new CliError('usage', `${flag}: ${message}`, [{ code: 'invalid_flag', message, file: flag }]);
}
