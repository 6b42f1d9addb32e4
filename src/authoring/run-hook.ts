import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { answerText } from './answer-text.ts';
import { readEnvelope } from './read-envelope.ts';
import type { HookHandler } from './types.ts';

/**
 * Serves this process's one event: stdin is read to its end, the handler is asked, its answer is printed, and the
 * process ends. Everything else ends it with exit code 1 and nothing on stdout.
 */
export async function runHook(event: string | undefined, handler: HookHandler): Promise<void> {
  // A promise that never settles leaves Node nothing to do: that must not end like a hook without an opinion.
  process.exitCode = 1;
  process.once('beforeExit', () => fail(new Error('the handler returned a promise that nothing will settle')));
  try {
    const text = answerText(await handler(readEnvelope(await buffer(process.stdin), event)));
    await printed(`${text}\n`);
    // What the handler left behind, such as a timer, must not hold up the answer.
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

function printed(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends the program without an answer. */
export function fail(error: unknown): never {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}
