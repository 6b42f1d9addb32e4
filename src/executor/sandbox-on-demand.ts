import type { Sandbox, SandboxOptions } from '../sandbox/index.ts';
import { createSandbox } from '../sandbox/index.ts';

/** A sandbox that costs nothing until it is needed: no process waits armed, no directory is made. */
export function sandboxOnDemand(options: SandboxOptions): Sandbox {
  let made: Sandbox | undefined;
  const sandbox = (): Sandbox => (made ??= createSandbox(options));
  return {
    run: async (request) => sandbox().run(request),
    capabilities: async () => sandbox().capabilities(),
    keep: (bytes, executable) => sandbox().keep(bytes, executable),
    close: async () => {
      await made?.close();
    },
  };
}
