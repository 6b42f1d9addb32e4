import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const exchanger = path.resolve(import.meta.dirname, '../fixtures/hosts/exchanger.py');

/** Exchanges two paths as fast as it can until the returned function is called. */
export async function startExchanger(...words: readonly string[]): Promise<() => Promise<void>> {
  const child = spawn('/usr/bin/python3', [exchanger, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    const ended = once(child, 'close');
    child.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`the exchanger ended early (${String(code)}), so nothing was attacked`);
  };
}
