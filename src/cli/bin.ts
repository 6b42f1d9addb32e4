#!/usr/bin/env node
import { blocked, exitCodeOf, failsClosed } from './exit-codes.ts';
import { endingSignals } from './signals.ts';

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
/** Set when the answer is out: stdout and the exit code must agree. */
const answer: { code?: number } = {};

function interruptedCode(): number {
  return answer.code ?? (failsClosed(argv) ? blocked : exitCodeOf('interrupted', argv));
}

for (const signal of endingSignals) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(interruptedCode());
    interruption.abort(new Error(`interrupted by ${signal}`));
    setTimeout(() => process.exit(interruptedCode()), graceMs).unref();
  });
}

async function start(): Promise<void> {
  // Something that is awaited but holds nothing open must not end this process in the middle of its work.
  setInterval(() => undefined, 60_000);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`expected Node.js 20.19 or newer, got ${process.versions.node}. Install a newer Node.js`);
  }
  const [{ main }, { workingDirectory }] = await Promise.all([import('./main.ts'), import('./working-directory.ts')]);
  const { env, stdin, stdout, stderr } = process;
  const code = await main({
    argv,
    env,
    // Asked when it is needed: help can be had without one.
    get cwd() {
      return workingDirectory();
    },
    systemDirectory: '/etc/hookcell',
    stdin,
    stdout,
    stderr,
    signal: interruption.signal,
    answered: (settled) => (answer.code = settled),
  });
  process.exit(interruption.signal.aborted ? interruptedCode() : code);
}

start().catch(die);
