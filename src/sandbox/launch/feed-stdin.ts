import { readSync } from 'node:fs';
import { Socket } from 'node:net';
import { closeAll, type InputPipe } from './pipes.ts';

const CHUNK = 65_536;

/** A payload on its way into a child. */
export interface Feeding {
  /** Stops, once the child has ended; resolves to the bytes that it never took from the pipe. */
  finish(): Promise<number>;
}

/**
 * Writes a payload and then end-of-file. Since we hold a read end as well, a child that closes its stdin early causes no EPIPE:
 * its answer counts all the same. After the child has ended, what is left in the pipe is drained and counted.
 */
export function feedStdin(pipe: InputPipe, payload: Uint8Array): Feeding {
  const socket = new Socket({ fd: pipe.writeEnd, readable: false, writable: true });
  // Cannot break while our own read end is open; a listener all the same, for an unheard error would end the host.
  socket.on('error', () => socket.destroy());
  let accepted = 0;
  let stopped = false;

  const writing = (async () => {
    while (accepted < payload.length && !stopped && !socket.destroyed) {
      const chunk = payload.subarray(accepted, accepted + CHUNK);
      await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
      accepted += chunk.length;
    }
    if (!stopped) await new Promise<void>((resolve) => socket.end(() => resolve()));
  })();

  return {
    async finish() {
      stopped = true;
      let drained = 0;
      let done = false;
      const settled = writing.then(() => {
        done = true;
      });
      while (!done) {
        drained += drain(pipe.readEnd);
        await Promise.race([settled, new Promise((resolve) => setImmediate(resolve))]);
      }
      socket.destroy();
      drained += drain(pipe.readEnd);
      closeAll([pipe.readEnd]);
      return payload.length - accepted + drained;
    },
  };
}

/** Takes what is in the pipe now; stops at "would block" and at end-of-file. */
function drain(descriptor: number): number {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let total = 0;
  for (;;) {
    try {
      const count = readSync(descriptor, buffer);
      if (count === 0) return total;
      total += count;
    } catch {
      return total;
    }
  }
}
