import { CommanderError } from 'commander';
import type { Finding, HookcellError } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';
import type { ExitReason } from './exit-codes.ts';
import { exitCodeOf, failsClosed, helpCommand, isDispatch } from './exit-codes.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';
import { findingLine } from './report-findings.ts';

/** What went wrong, independent of who threw it. */
interface Failure {
  readonly reason: ExitReason;
  readonly code: string;
  readonly message: string;
  readonly findings: readonly Finding[];
}

/** Tells people on stderr and programs on stdout why the command did not do its work; returns the exit code. */
export async function reportFailure(error: unknown, io: Io): Promise<number> {
  const failure = await fitToBeTold(failureOf(error), io);
  await tell(io, failureText(failure, io));
  // What could not be written once is not written after it: a reader would get two halves.
  const document = failure.reason === 'output' ? undefined : failureDocument(failure, io);
  if (document !== undefined) await write(io.stdout, `${JSON.stringify(document)}\n`);
  return exitCodeOf(failure.reason, io.argv);
}

function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    return { reason: error.reason, code: error.reason, message: error.message, findings: error.findings };
  }
  if (error instanceof CommanderError) {
    const message = error.message
      .replace(/^error: /u, '')
      .replaceAll('\n', ' ')
      .trim();
    if (error.code !== 'commander.help') return { reason: 'usage', code: 'usage', message, findings: [] };
    return { reason: 'usage', code: 'usage', message: 'expected a command', findings: [] };
  }
  if (isHookcellError(error)) {
    return { reason: reasons[error.code], code: error.code, message: error.message, findings: error.findings };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { reason: 'internal', code: 'internal', message: `internal error: ${message}`, findings: [] };
}

/**
 * Messages hold what others wrote: an event, the names and the text of a repository's files. They must tell no secret, and
 * not speak to the terminal or to whoever reads the answer.
 */
async function fitToBeTold(failure: Failure, { env }: Io): Promise<Failure> {
  const { redactText, shownPath, visibleText } = await import('../protocol/index.ts');
  const { environmentSecrets } = await import('./environment.ts');
  const secretValues = Object.values(environmentSecrets(env));
  const told = (text: string): string => visibleText(redactText(text, secretValues)).replaceAll('\n', String.raw`\n`);
  const findings = failure.findings.map((finding) => ({
    ...finding,
    message: told(finding.message),
    ...(finding.pointer === undefined ? {} : { pointer: told(finding.pointer) }),
    ...(finding.file === undefined ? {} : { file: shownPath(redactText(finding.file, secretValues)) }),
  }));
  return { ...failure, message: told(failure.message), findings };
}

const reasons = {
  invalid_event: 'data',
  invalid_pack: 'data',
  invalid_agent: 'data',
  invalid_configuration: 'configuration',
  invalid_options: 'configuration',
  sandbox_unavailable: 'unavailable',
  executor_closed: 'internal',
  hook_denied: 'internal',
  internal: 'internal',
} as const satisfies Record<HookcellError['code'], ExitReason>;

/** By shape, so that a usage error does not pay for loading the protocol layer. */
function isHookcellError(error: unknown): error is HookcellError {
  return error instanceof Error && 'findings' in error && 'code' in error && Object.hasOwn(reasons, String(error.code));
}

function failureText(failure: Failure, { argv }: Io): string {
  const placed = failure.findings.filter((finding) => finding.file !== undefined && !finding.file.startsWith('-'));
  const lines = placed.length > 0 ? placed.map((finding) => findingLine(finding)) : [`hookcell: ${failure.message}`];
  if (failure.reason === 'usage') lines.push(`See: ${helpCommand(argv)}`);
  const why = failure.reason === 'output' ? 'the answer did not get out' : 'no decision could be made';
  if (failsClosed(argv)) lines.push(`hookcell: blocked, since ${why}`);
  return lines.join('\n');
}

/**
 * `run` and `exec` print one answer whatever happens, so that a host which reads stdout and one which reads the exit
 * code learn the same. Other commands print a document only for `--json`.
 */
function failureDocument(failure: Failure, { argv, stdin }: Io): object | undefined {
  // A person who mistyped a command gave no event, and reads no JSON.
  if (failure.reason === 'usage' && stdin.isTTY === true && !isDispatch(argv)) return undefined;
  const { code, message, findings } = failure;
  const error = { code, message, findings };
  const decision = { action: 'deny', reason: `no decision could be made: ${message}` };
  const wantsJson = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json');
  if (!failsClosed(argv)) return wantsJson ? { version: 1, error } : undefined;
  return wantsJson ? { version: 1, decision, error } : { decision };
}
