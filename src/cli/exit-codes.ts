/** Exit codes of every command but `run` and `exec` (PROTOCOL section 10). */
export const exitCodes = {
  ok: 0,
  findings: 1,
  usage: 64,
  data: 65,
  unavailable: 69,
  internal: 70,
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
  'help',
]);

/**
 * True when a failure must read as "do not go on": for `run`, `exec`, and for an unknown or missing command,
 * which may be a misspelt hook entry.
 */
export function failsClosed(argv: readonly string[]): boolean {
  return !ordinaryCommands.has(argv[0] ?? '');
}

/** The exit code of a command that could not do its work. */
export function exitCodeOf(reason: ExitReason, argv: readonly string[]): number {
  return failsClosed(argv) ? blocked : exitCodes[reason];
}
