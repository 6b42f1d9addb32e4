import { existsSync } from 'node:fs';
import { expect } from 'vitest';

import { startGuardian } from '../../../src/sandbox/launch/guardian.ts';
import { linux, liveTest } from '../../support/capability.ts';
import { processesWhere, type Survivor } from '../../support/survivors.ts';
import { scratchDirectory } from '../../support/view.ts';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

// What it does for a host that was killed is in test/adversarial/killed-host.test.ts: only a killed process can show it.
liveTest(linux, 'a guardian that is sent home ends and touches nothing', async () => {
  const runtimeDirectory = scratchDirectory();
  const guards = (): Survivor[] =>
    processesWhere((_, read) => read('environ').includes(`RUNTIME_DIRECTORY=${runtimeDirectory}`));
  const guardian = startGuardian({
    killFile: undefined,
    marker: `no-such-marker-${process.pid}`,
    runtimeDirectory,
    pipeDirectory: runtimeDirectory,
  });
  await until(() => guards().length > 0);
  for (const { pid } of guards()) process.kill(pid, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(guards().length).toBe(1);
  guardian.dismiss();
  await until(() => guards().length === 0);
  expect(existsSync(runtimeDirectory)).toBe(true);
});
