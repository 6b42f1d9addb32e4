import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createExecutor } from '../../../src/executor/index.ts';
import type { Variant } from './rounds.ts';

/** The whole way through the library: validate, redact, match, run, interpret, merge. One executor a handler, so that each matches one hook. */
export async function dispatchVariants(
  project: string,
  handlers: Readonly<Record<string, readonly string[]>>,
  content: string,
): Promise<{ variant(name: string): Variant; close(): Promise<void> }> {
  const directory = join(project, 'packs');
  mkdirSync(directory, { recursive: true });
  const executors = new Map<string, Awaited<ReturnType<typeof createExecutor>>>();
  for (const [name, command] of Object.entries(handlers)) {
    const hook = { id: 'allow', event: 'tool:before', handler: { type: 'command', command } };
    const path = join(directory, `${name}.json`);
    writeFileSync(path, JSON.stringify({ version: 1, name, hooks: [hook] }));
    executors.set(
      name,
      await createExecutor({ packs: path, projectRoot: project, installationKey: new Uint8Array(32).fill(7) }),
    );
  }
  return {
    variant: (name) => ({
      name: 'hookcell dispatch',
      run: async () => {
        const verdict = await executors
          .get(name)
          ?.dispatch({ event: 'tool:before', data: { tool: 'write', input: { path: 'a.txt', content } } });
        if (verdict?.decision.action !== 'allow') throw new Error(`${name}: ${JSON.stringify(verdict)}`);
      },
    }),
    close: async () => {
      await Promise.all([...executors.values()].map((executor) => executor.close()));
    },
  };
}
