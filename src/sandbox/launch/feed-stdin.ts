import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { closeAll, type InputPipe } from './pipes.ts';

const CHUNK = 65_536;
const FIRST_NUDGE_MS = 2;
const LAST_NUDGE_MS = 32;

/** A payload on its way into a child. */
export interface Feeding {
  /** Stops, once the child has ended; resolves to the bytes of the payload that it never took from the pipe. */
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
  const state: WriteState = { accepted: 0, stopped: false, done: false };
  const writing = writeAll(socket, payload, state);
  void writing.then(() => nudge(pipe.readEnd, state, FIRST_NUDGE_MS));

  return {
    async finish() {
      state.stopped = true;
      let drained = 0;
      // A handler can fill its own stdin, even while we empty it: we look for no more than the payload.
      while (!state.done && drained < payload.length) {
        drained += drain(pipe.readEnd, payload.length - drained);
        await Promise.race([writing, new Promise((resolve) => setImmediate(resolve))]);
      }
      socket.destroy();
      await writing;
      drained += drain(pipe.readEnd, payload.length - drained);
      closeAll([pipe.readEnd]);
      return Math.min(payload.length, payload.length - state.accepted + drained);
    },
  };
}

interface WriteState {
  accepted: number;
  stopped: boolean;
  done: boolean;
}

async function writeAll(socket: Socket, payload: Uint8Array, state: WriteState): Promise<void> {
  while (state.accepted < payload.length && !state.stopped && !socket.destroyed) {
    const chunk = payload.subarray(state.accepted, state.accepted + CHUNK);
    await new Promise<void>((resolve) => {
      socket.write(chunk, () => resolve());
    });
    state.accepted += chunk.length;
  }
  state.done = true;
  if (!state.stopped) socket.end();
}

/**
 * A named pipe without a writer keeps whoever opens it waiting, and handlers do read `/dev/stdin`: a writer that comes and goes at once
 * lets them in, to what is left and then end-of-file.
 */
function nudge(readEnd: number, state: WriteState, afterMs: number): void {
  setTimeout(() => {
    if (state.stopped) return;
    try {
      closeSync(openSync(`/proc/self/fd/${readEnd}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // Out of descriptors for a moment: the next one does it.
    }
    nudge(readEnd, state, Math.min(LAST_NUDGE_MS, afterMs * 2));
  }, afterMs).unref();
}

/** Takes what is in the pipe now, at most so many bytes; stops at "would block" and at end-of-file. */
function drain(descriptor: number, atMost: number): number {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let total = 0;
  while (total < atMost) {
    try {
      const count = readSync(descriptor, buffer, 0, Math.min(CHUNK, atMost - total), null);
      if (count === 0) return total;
      total += count;
    } catch {
      return total;
    }
  }
  return total;
}
