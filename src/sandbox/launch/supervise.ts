import type { Limits } from '../policy.ts';
import type { KillReason, RawResult } from '../raw-result.ts';
import { awaitDeath } from './await-death.ts';
import { classifyEnd } from './classify-end.ts';
import { collectOutput } from './collect-output.ts';
import { drain } from './drain.ts';
import { endTree } from './end-tree.ts';
import { feedStdin } from './feed-stdin.ts';
import type { Slot, SlotEnd } from './slot.ts';
import { StatusChannel } from './status-channel.ts';

/** Everything one launch needs, as plain data: it may come from another process. */
export interface LaunchOrder {
  readonly wall: 'bubblewrap' | 'none';
  /** Shell line that replaces the slot's process by the sandbox. */
  readonly line: string;
  /** Options for bubblewrap's `--args` descriptor. */
  readonly options: readonly string[];
  readonly stdin: Uint8Array;
  readonly limits: Limits;
}

/** What came of it, as plain data. */
export type LaunchResult = Omit<RawResult, 'sandbox' | 'remedy' | 'notes' | 'trace'>;

/** How long a tree may take to disappear before the result goes out, as one that could not be ended in time. */
const DEATH_WAIT_MS = 10_000;

/**
 * Gives a slot its order and sees it through to the end: feeds stdin, reads both outputs within their bounds, ends the whole tree at the deadline,
 * at an abort or at a broken bound, and reports facts. Resolves only when no process of the invocation lives. Never rejects.
 */
export async function supervise(slot: Slot, order: LaunchOrder, signal?: AbortSignal): Promise<LaunchResult> {
  const startedAt = performance.now();
  for (const held of [slot.process, slot.order, slot.options, slot.status]) held.ref();
  const channel = new StatusChannel();
  let killed: KillReason | undefined;
  let ending: Promise<void> | undefined;
  let firstProcessAt: number | undefined;
  const kill = (reason: KillReason): void => {
    killed ??= reason;
    ending ??= endTree(slot, order.wall, channel);
  };

  const status = collectOutput(slot.status, {
    maxBytes: 65_536,
    onLimit: noLimit,
    onData: (chunk) => {
      channel.push(chunk.toString('latin1'));
      firstProcessAt ??= channel.status.childPid === undefined ? undefined : performance.now();
    },
  });
  const stdout = collectOutput(slot.stdout.readEnd, {
    maxBytes: order.limits.maxOutputBytes,
    onLimit: () => kill('output_limit'),
  });
  const stderr = collectOutput(slot.stderr.readEnd, {
    maxBytes: order.limits.maxStderrBytes,
    keepBytes: order.limits.keepStderrBytes,
    onLimit: () => kill('stderr_limit'),
  });

  slot.options.end(order.options.map((option) => `${option}\0`).join(''));
  slot.order.end(`${order.line}; exit 125\n`);
  const feeding = feedStdin(slot.stdin, order.stdin);
  const deadline = setTimeout(() => kill('timeout'), order.limits.timeoutMs);
  const abort = (): void => kill('canceled');
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });

  const end = await endOf(slot, () => ending !== undefined);
  const endedAt = performance.now();
  clearTimeout(deadline);
  signal?.removeEventListener('abort', abort);
  // Whoever is left (only possible without a process namespace) dies before anything is reported.
  if (order.wall === 'none') ending ??= endTree(slot, order.wall, channel);
  const stdinUnread = feeding.finish();
  await Promise.all([ending, drain([stdout, stderr, status])]);
  // What outlives its end can still act on the project: its answer does not count.
  if (!(await awaitDeath(slot, channel.status.childPid, DEATH_WAIT_MS))) killed ??= 'timeout';
  const events = slot.group.events();

  const stderrTail = stderr.bytes();
  const memoryLimitHit = events.oomKills > 0;
  // Without a wall the program takes the place of the slot's shell at once; a wall that never came took all the time.
  const launchedAt = order.wall === 'none' ? startedAt : Math.min(firstProcessAt ?? endedAt, endedAt);
  const facts = classifyEnd({
    wall: order.wall,
    status: channel.status,
    end,
    killed,
    memoryLimitHit,
    stderr: Buffer.from(stderrTail).toString('utf8'),
  });
  return {
    ...facts,
    ...(killed === undefined ? {} : { killed }),
    memoryLimitHit,
    processLimitHit: events.processLimitHits > 0,
    stdout: stdout.bytes(),
    stderr: stderrTail,
    bytes: { stdin: order.stdin.length, stdinUnread: await stdinUnread, stdout: stdout.total, stderr: stderr.total },
    durationMs: performance.now() - startedAt,
    timings: {
      launchMs: launchedAt - startedAt,
      runMs: endedAt - launchedAt,
      drainMs: performance.now() - endedAt,
    },
  };
}

/** The child's end, or, when a killed one does not go, a made-up end after a long wait (a process stuck in the kernel). */
async function endOf(slot: Slot, isEnding: () => boolean): Promise<SlotEnd> {
  let waitedMs = 0;
  for (;;) {
    const end = await Promise.race([slot.ended, pause(500)]);
    if (end !== undefined) return end;
    if (isEnding()) waitedMs += 500;
    if (waitedMs >= DEATH_WAIT_MS) return { code: null, signal: 'SIGKILL' };
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}

function noLimit(): void {
  // The status channel is bubblewrap's own: a few lines.
}
