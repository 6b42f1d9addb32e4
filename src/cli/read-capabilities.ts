import type { Capabilities } from '../sandbox/index.ts';

/** Probes this machine, as the default backend would be used. */
export async function readCapabilities(): Promise<Capabilities> {
  const { createSandbox } = await import('../sandbox/index.ts');
  const sandbox = createSandbox({ backend: 'auto', armedSlots: 0 });
  try {
    return await sandbox.capabilities();
  } finally {
    await sandbox.close();
  }
}
