import { CommanderError } from 'commander';
import type { Finding, HookcellError } from '../protocol/index.ts';
import { CliError } from './cli-error.ts';
import type { ExitReason } from './exit-codes.ts';
import { exitCodeOf, failsClosed } from './exit-codes.ts';
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
  const raw = failureOf(error);
  // A usage error does not pay for loading the protocol layer, and speaks of the command line alone.
  const failure = raw.reason === 'usage' ? raw : await withoutUnseen(raw);
  await tell(io, failureText(failure, io.argv));
  const document = failureDocument(failure, io.argv);
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

/** Files of a repository have names that could speak to the terminal, or to whoever reads the answer. */
async function withoutUnseen(failure: Failure): Promise<Failure> {
  const { shownPath, visibleText } = await import('../protocol/index.ts');
  const inOneLine = (text: string): string => visibleText(text).replaceAll('\n', String.raw`\n`);
  const findings = failure.findings.map((finding) => ({
    ...finding,
    message: inOneLine(finding.message),
    ...(finding.file === undefined ? {} : { file: shownPath(finding.file) }),
  }));
  return { ...failure, message: inOneLine(failure.message), findings };
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

function failureText(failure: Failure, argv: readonly string[]): string {
  const placed = failure.findings.filter((finding) => finding.file !== undefined && !finding.file.startsWith('-'));
  const lines = placed.length > 0 ? placed.map((finding) => findingLine(finding)) : [`hookcell: ${failure.message}`];
  if (failure.reason === 'usage') lines.push('See: hookcell --help');
  if (failsClosed(argv)) lines.push('hookcell: blocked, since no decision could be made');
  return lines.join('\n');
}

/**
 * `run` and `exec` print one answer whatever happens, so that a host which reads stdout and one which reads the exit
 * code learn the same. Other commands print a document only for `--json`.
 */
function failureDocument(failure: Failure, argv: readonly string[]): object | undefined {
  const { code, message, findings } = failure;
  const error = { code, message, findings };
  const decision = { action: 'deny', reason: `no decision could be made: ${message}` };
  const wantsJson = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json');
  if (!failsClosed(argv)) return wantsJson ? { version: 1, error } : undefined;
  return wantsJson ? { version: 1, decision, error } : { decision };
}
