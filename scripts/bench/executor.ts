/* What everything but the sandbox costs: validate, redact, match among 200 hooks, envelope, interpret, merge, record. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Executor } from '../../src/executor/executor.ts';
import { createIdempotency } from '../../src/executor/idempotency.ts';
import { loadHooks } from '../../src/executor/loaded-hook.ts';
import { parsePacks, readPackTexts } from '../../src/executor/load-packs.ts';
import { createLog } from '../../src/executor/log.ts';
import { defaultLimits, eventLimits, valuesOf } from '../../src/executor/operator/default-limits.ts';
import { gatherGrants } from '../../src/executor/operator/grant-sources.ts';
import { orderHooks } from '../../src/executor/plan.ts';
import { createQueue } from '../../src/executor/queue.ts';
import { createRateGuard } from '../../src/executor/rate-guard.ts';
import { createOverlay } from '../../src/executor/trust/overlays.ts';
import { loadedPinning } from '../../src/executor/trust/pinning.ts';
import type { RawResult, Sandbox } from '../../src/sandbox/index.ts';
import { interleave, print, type Variant } from './lib/rounds.ts';

const rounds = Number(process.argv[2] ?? 300);
const project = realpathSync(mkdtempSync(join(tmpdir(), 'hookcell-bench-')));
const answer = new TextEncoder().encode('{"decision":{"action":"allow"}}\n');

/** Answers at once, so that only the executor's own work is left. */
const instant: Sandbox = {
  run: async ({ stdin }): Promise<RawResult> => ({
    kind: 'ran',
    memoryLimitHit: false,
    processLimitHit: false,
    exit: { code: 0, signal: null },
    stdout: answer,
    stderr: new Uint8Array(),
    bytes: { stdin: stdin.length, stdinUnread: 0, stdout: answer.length, stderr: 0 },
    durationMs: 0,
    sandbox: {
      backend: 'none',
      enforced: {
        filesystem: 'none',
        network: 'none',
        processes: 'none',
        memory: 'none',
        kill: 'process-group',
        syscalls: 'none',
      },
    },
  }),
  capabilities: async () => {
    throw new Error('not asked here');
  },
  keep: () => {
    throw new Error('not asked here');
  },
  close: async () => undefined,
};

const hooks = Array.from({ length: 200 }, (_, index) => ({
  id: `hook-${index}`,
  event: 'tool:before' as const,
  matcher: { tools: index === 100 ? ['write', 'edit'] : [`tool-${index}`, `other_${index}_*`] },
  handler: { type: 'command' as const, command: ['/bin/true'] },
}));
const knownEvents = new Map();
const { texts } = await readPackTexts([{ version: 1, name: 'bench', hooks }], project);
const packs = parsePacks(texts, project, knownEvents);
const pinning = await loadedPinning(packs, project);
const loaded = await loadHooks(packs, {
  projectRoot: project,
  start: project,
  grantOf: gatherGrants([], {}, project, defaultLimits('oss')).of,
  environment: {},
  grantFile: undefined,
  hostPath: undefined,
  pinning,
  ownDirectories: [],
  knownEvents,
});
const limits = valuesOf(eventLimits({}, { value: 'oss', origin: { from: 'default' } }, 0));
const executor = new Executor({
  hooks: orderHooks(loaded),
  knownEvents,
  untrusted: undefined,
  killSwitch: false,
  limits,
  surroundings: { project: { root: project, foundBy: 'given' }, configuration: [], settings: [] },
  workshop: {
    sandbox: instant,
    overlay: createOverlay(pinning, instant),
    queue: createQueue(8),
    rateGuard: createRateGuard(limits.maxPerMinute),
    idempotency: createIdempotency(new Uint8Array(32).fill(7), project),
    log: createLog(undefined),
    secretValues: ['a-secret-value-of-the-environment'],
    limits: { ...limits, maxEnvelopeBytes: 16 * 1_048_576 },
  },
});

const sizes: readonly (readonly [name: string, bytes: number])[] = [
  ['1 KB', 1_000],
  ['4 KB', 4_000],
  ['64 KB', 64_000],
  ['256 KB', 256_000],
  ['1 MB', 1_000_000],
];
const line = 'const total = items.map((item) => item.price * item.count).reduce((a, b) => a + b, 0); // keep\n';
function dataOf(bytes: number) {
  const content = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
  return { tool: 'write', input: { path: 'src/total.ts', content, apiKey: 'abcdef0123456789' } };
}

function variantOf([name, bytes]: (typeof sizes)[number]): Variant {
  const data = dataOf(bytes);
  return {
    name: `event of ${name}`,
    run: async () => {
      const verdict = await executor.dispatch({ event: 'tool:before', data });
      if (verdict.decision.action !== 'allow' || verdict.outcomes.length !== 1)
        throw new Error(JSON.stringify(verdict));
    },
  };
}

/** What nobody can do without: the bytes for the handler's stdin. */
const encoder = new TextEncoder();
const largest = dataOf(1_000_000);
const written: Variant = {
  name: '1 MB, written as JSON and UTF-8 alone',
  run: async () => {
    encoder.encode(JSON.stringify(largest));
  },
};

const title = `executor without a sandbox, 1 of 200 hooks matches, ${rounds} rounds`;
// Small ones by themselves: a megabyte in between empties the processor's caches and fills the heap.
const small = sizes.slice(0, 2).map(variantOf);
print(
  `${title}, small events`,
  await interleave(small, { rounds: 10 * rounds, warmup: 300, pauseMs: 0 }),
  'event of 4 KB',
);
const all = [...sizes.map(variantOf), written];
print(`${title}, growth with size`, await interleave(all, { rounds, warmup: 30, pauseMs: 0 }), 'event of 4 KB');
await executor.close();
rmSync(project, { recursive: true, force: true });
