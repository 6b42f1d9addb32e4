#!/usr/bin/env node
import { blocked, exitCodeOf, failsClosed } from './exit-codes.ts';

const argv = process.argv.slice(2);

// Whatever ends this process early, a hook entry must not read as "go on".
process.exitCode = exitCodeOf('internal', argv);

function die(error: unknown): never {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    process.stderr.write(`hookcell: internal error: ${message}\n`);
  } finally {
    process.exit(exitCodeOf('internal', argv));
  }
}
process.on('uncaughtException', die);
process.on('unhandledRejection', die);
// A reader that went away: the write itself reports it where it matters.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const interruption = new AbortController();
/** How long an interrupted command may take to end its hooks. */
const graceMs = 2_000;
// Every one that can be caught and would end this process by itself: its code, 128 and more, reads as "go on" in agent hosts.
const fatal = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSYS', 'SIGTRAP'] as const),
] as const;
for (const signal of fatal) {
  process.on(signal, () => {
    const code = failsClosed(argv) ? blocked : exitCodeOf('interrupted', argv);
    if (interruption.signal.aborted) process.exit(code);
    interruption.abort(new Error(`interrupted by ${signal}`));
    setTimeout(() => process.exit(code), graceMs).unref();
  });
}

async function start(): Promise<void> {
  // Something that is awaited but holds nothing open must not end this process in the middle of its work.
  setInterval(() => undefined, 60_000);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`expected Node.js 20.19 or newer, got ${process.versions.node}. Install a newer Node.js`);
  }
  const { main } = await import('./main.ts');
  const { env, stdin, stdout, stderr } = process;
  const place = { cwd: process.cwd(), systemDirectory: '/etc/hookcell' };
  const io = { argv, env, ...place, stdin, stdout, stderr, signal: interruption.signal };
  const code = await main(io);
  process.exit(interruption.signal.aborted ? exitCodeOf('interrupted', argv) : code);
}

start().catch(die);
