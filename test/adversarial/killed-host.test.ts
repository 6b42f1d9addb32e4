import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';

import { createSandbox } from '../../src/sandbox/index.ts';
import { findCgroups } from '../../src/sandbox/cgroup/layout.ts';
import { liveTree } from '../../src/sandbox/cgroup/live-tree.ts';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { sideBySide } from '../support/leaves-nothing.ts';
import { startHost } from '../support/host.ts';
import { requestOf } from '../support/run-in-sandbox.ts';
import { processesWhere, processesWith } from '../support/survivors.ts';
import { scratchDirectory } from '../support/view.ts';

const wall = [linux, bubblewrap];
const ROUNDS = 24;
/** Handlers that would live on: deaf to signals, detached, silent, busy. */
const lines = [
  `trap '' HUP INT TERM PIPE; while :; do sleep 0.1; done`,
  `(setsid sh -c 'exec <&- >&- 2>&-; while :; do sleep 0.1; done' &); sleep 1000`,
  'cat; sleep 1000',
];

/** Polls: what a killed host leaves behind has to go by itself, but may take its time on a loaded machine. */
async function gone(what: () => readonly unknown[]): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (what().length > 0 && Date.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 20));
}

function groupsOf(pid: number): string[] {
  const { memory, pids, kill } = findCgroups(liveTree);
  const parents = new Set([memory, pids, kill].flatMap((found) => found?.parent ?? []));
  return [...parents]
    .flatMap((parent) => readdirSync(parent))
    .filter((name) => name.includes(`-${pid}-`) && name.startsWith('hookcell-'));
}

/** Kills a host some time after it has begun to launch; then nothing of it may live, nor lie about. */
async function killHost(options: { cgroups?: 'none' }, afterMs: number): Promise<number> {
  const token = `cell-token-${randomUUID()}`;
  const runtimeBase = scratchDirectory();
  const requests = lines.map((line) =>
    requestOf(['/bin/sh', '-c', line, token], { policy: { env: { CELL_TOKEN: token } } }),
  );
  const host = startHost({ ...options, runtimeBase }, requests);
  await once(host.stdout ?? host, 'data');
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const seen = processesWith(token).length;
  host.kill('SIGKILL');
  await once(host, 'exit');
  const left = (): unknown[] => [
    ...readdirSync(runtimeBase),
    // Handlers and sandboxes; slots and sandboxes; the guardian.
    ...processesWhere(
      ({ command }, read) =>
        [token, `-${host.pid}-`].some((text) => command.includes(text)) ||
        [token, runtimeBase].some((text) => read('environ').includes(text)),
    ),
  ];
  await gone(left);
  // Nothing comes up late either, out of a slot that was about to start.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(left()).toEqual([]);

  const next = createSandbox({ backend: 'auto', ...options, armedSlots: 0 });
  await next.close();
  // Another executor may be at it at the same time.
  await gone(() => groupsOf(host.pid ?? 0));
  expect(groupsOf(host.pid ?? 0)).toEqual([]);
  return seen;
}

describe.each([
  ['with cgroups', {}],
  ['without cgroups', { cgroups: 'none' as const }],
])('%s', (_name, options) => {
  liveTest(wall, `a host that is killed within 30 ms of a launch leaves nothing, ${ROUNDS} times`, async () => {
    await sideBySide(ROUNDS, 4, (round) => killHost(options, (round * 30) / ROUNDS));
  });

  liveTest(wall, 'a host that is killed while its handlers run leaves nothing', async () => {
    // The token is in the host's own command line too.
    expect(await killHost(options, 700)).toBeGreaterThan(lines.length);
  });
});
