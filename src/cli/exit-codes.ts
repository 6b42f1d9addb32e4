/** Exit codes of every command but `run` and `exec` (PROTOCOL section 10). */
export const exitCodes = {
  ok: 0,
  findings: 1,
  usage: 64,
  data: 65,
  unavailable: 69,
  internal: 70,
  output: 74,
  configuration: 78,
  interrupted: 130,
} as const;

export type ExitReason = keyof typeof exitCodes;

/** `run` and `exec`: do not go on. Agent hosts take every code but this one as leave to go on. */
export const blocked = 2;

/** Commands that are never a host's hook entry, and may therefore use the ordinary codes. */
const ordinaryCommands: ReadonlySet<string> = new Set([
  'validate',
  'list',
  'explain',
  'try',
  'doctor',
  'capabilities',
  'schema',
  'init',
  'test',
  'trust',
]);

/** With nothing but these and names of ordinary commands, somebody wants to read and no hook is asked. */
const readingWords: ReadonlySet<string> = new Set(['help', '-h', '--help', '-V', '--version']);

/**
 * True when a failure must read as "do not go on": for `run`, `exec`, and for an unknown or missing command,
 * which may be a misspelt hook entry. Help of them is such a failure as well: an entry that asks for it asks no hook.
 */
export function failsClosed(argv: readonly string[]): boolean {
  if (ordinaryCommands.has(argv[0] ?? '')) return false;
  return argv.length === 0 || !argv.every((word) => readingWords.has(word) || ordinaryCommands.has(word));
}

/** `run` and `exec` by name: they print an answer whatever happens. */
export function isDispatch([command]: readonly string[]): boolean {
  return command === 'run' || command === 'exec';
}

/** What to type for the help that a mistake asks for. */
export function helpCommand(argv: readonly string[]): string {
  const [command = ''] = argv;
  return isDispatch(argv) || ordinaryCommands.has(command) ? `hookcell ${command} --help` : 'hookcell --help';
}

/** The exit code of a command that could not do its work. */
export function exitCodeOf(reason: ExitReason, argv: readonly string[]): number {
  return failsClosed(argv) ? blocked : exitCodes[reason];
}
