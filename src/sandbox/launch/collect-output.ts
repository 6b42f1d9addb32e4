import { Socket } from 'node:net';

/** Bytes of one stream of a child, counted while they come. */
export interface Collected {
  /** All bytes up to the cap, or the last `keepBytes` of them. */
  bytes(): Uint8Array;
  /** Everything that came, kept or not. */
  readonly total: number;
  /** Resolves at end-of-file or when the stream was destroyed. */
  readonly ended: Promise<void>;
  /** When the last byte came, by `performance.now()`. */
  readonly lastByteAt: number;
  destroy(): void;
}

export interface CollectOptions {
  /** More than this and `onLimit` is called, once; no further bytes are kept. */
  readonly maxBytes: number;
  /** Keep only the tail. */
  readonly keepBytes?: number;
  readonly onLimit: () => void;
  readonly onData?: (chunk: Buffer) => void;
}

/** Reads a pipe, given by its descriptor, or a socket to its end, never keeping more than its cap. */
export function collectOutput(source: number | Socket, options: CollectOptions): Collected {
  const socket = typeof source === 'number' ? new Socket({ fd: source, readable: true, writable: false }) : source;
  const keep = options.keepBytes ?? options.maxBytes;
  let chunks: Buffer[] = [];
  let kept = 0;
  let total = 0;
  let lastByteAt = performance.now();
  let limited = false;

  socket.on('data', (chunk: Buffer) => {
    lastByteAt = performance.now();
    total += chunk.length;
    options.onData?.(chunk);
    chunks.push(chunk);
    kept += chunk.length;
    if (kept > 2 * keep + 65_536) shrink();
    if (total > options.maxBytes && !limited) {
      limited = true;
      options.onLimit();
    }
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('end', () => resolve());
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });

  function shrink(): Buffer {
    const all = Buffer.concat(chunks);
    const part = options.keepBytes === undefined ? all.subarray(0, keep) : all.subarray(Math.max(0, all.length - keep));
    chunks = [Buffer.from(part)];
    kept = part.length;
    return part;
  }

  return {
    bytes: shrink,
    get total() {
      return total;
    },
    ended,
    get lastByteAt() {
      return lastByteAt;
    },
    destroy: () => socket.destroy(),
  };
}
