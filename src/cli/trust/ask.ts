import { createInterface } from 'node:readline/promises';
import type { Io } from '../io.ts';

/** Whether somebody sits there who can be asked. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks on the terminal. Only a written "yes" is one; the end of the input is not. */
export async function askYes(io: Io, question: string): Promise<boolean> {
  const terminal = createInterface({ input: io.stdin, output: io.stderr });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  try {
    const answer = await terminal.question(`${question} Type "yes": `, {
      signal: AbortSignal.any([io.signal, ended.signal]),
    });
    return answer.trim().toLowerCase() === 'yes';
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}
