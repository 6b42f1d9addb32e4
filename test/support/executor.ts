import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createExecutor } from '../../src/index.ts';
import type { EventInput, Executor, ExecutorOptions, Pack } from '../../src/index.ts';

/** The project of all executor tests: a directory of tiny handlers, named by what they do. */
export const handlers = path.resolve(import.meta.dirname, '../fixtures/hooks');

type HookOptions = Partial<Omit<Pack['hooks'][number], 'handler'>> & {
  readonly handler?: Partial<Pack['hooks'][number]['handler']>;
};

/** A hook at `tool:before` that runs one of the handlers; its id is the handler's name without the ending. */
export function hookOf(script: string, { handler = {}, ...hook }: HookOptions = {}): Pack['hooks'][number] {
  return {
    id: script.replace(/\.\w+$/u, ''),
    event: 'tool:before',
    ...hook,
    handler: { type: 'command', command: `./${script}`, timeoutMs: 20_000, ...handler },
  };
}

export function packOf(hooks: readonly Pack['hooks'][number][], rest: Partial<Pack> = {}): Pack {
  return { version: 1, name: 'p', ...rest, hooks };
}

/** An executor over the handlers, closed after the test. */
export async function executorOf(
  hooks: readonly Pack['hooks'][number][],
  options: ExecutorOptions = {},
  pack: Partial<Pack> = {},
): Promise<Executor> {
  const executor = await createExecutor({
    packs: packOf(hooks, pack),
    projectRoot: handlers,
    installationKey: new Uint8Array(32).fill(7),
    ...options,
  });
  onTestFinished(() => executor.close());
  return executor;
}

export function toolEvent(input: object = { path: 'a.txt' }, rest: object = {}): EventInput<'tool:before'> {
  return { event: 'tool:before', data: { tool: 'write', input }, ...rest };
}
