import type { Collected } from './collect-output.ts';

/** After the child's exit its pipes are read until this long after their last byte, for a holder elsewhere must not be waited for. */
const DRAIN_IDLE_MS = 250;
const DRAIN_MAX_MS = 2_000;

/** Reads what an ended child has written, whoever still holds its pipes, and destroys the streams. */
export async function drain(streams: readonly Collected[]): Promise<void> {
  const all = Promise.all(streams.map((stream) => stream.ended)).then(() => true);
  const startedAt = performance.now();
  for (;;) {
    if (await Promise.race([all, pause(DRAIN_IDLE_MS / 5)])) break;
    // A host that was busy meanwhile finds its timers due before it has looked at the pipes: time counts only once it has.
    // Else a deny that was written would be lost, and a clean exit without a word is no deny.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const now = performance.now();
    const quietSince = Math.max(startedAt, ...streams.map((stream) => stream.lastByteAt));
    if (now - quietSince >= DRAIN_IDLE_MS || now - startedAt >= DRAIN_MAX_MS) break;
  }
  for (const stream of streams) stream.destroy();
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
