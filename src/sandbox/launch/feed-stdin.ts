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
  const state = { accepted: 0, stopped: false, done: false };
  const writing = writeAll(socket, payload, state);

  return {
    async finish() {
      state.stopped = true;
      let drained = 0;
      while (!state.done) {
        drained += drain(pipe.readEnd);
        await Promise.race([writing, new Promise((resolve) => setImmediate(resolve))]);
      }
      socket.destroy();
      drained += drain(pipe.readEnd);
      closeAll([pipe.readEnd]);
      return payload.length - state.accepted + drained;
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
