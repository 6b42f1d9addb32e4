/** Gives a slot back; calling it again does nothing. */
export type Release = () => void;

/** Bounds how many invocations run at once. First come, first served. */
export interface Queue {
  /** Waits for a free slot; `undefined` when the signal was aborted first. */
  enter(signal?: AbortSignal): Promise<Release | undefined>;
  readonly running: number;
  readonly waiting: number;
}

export function createQueue(slots: number): Queue {
  let running = 0;
  const waiting = new Set<(release: Release) => void>();

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    // The slot goes straight to the next in line: nobody can slip in between.
    waiting.delete(next);
    next(releaseOnce());
  };
  const releaseOnce = (): Release => {
    let held = true;
    return () => {
      if (held) leave();
      held = false;
    };
  };

  return {
    enter(signal) {
      if (signal?.aborted === true) return Promise.resolve(undefined);
      if (running < slots) {
        running += 1;
        return Promise.resolve(releaseOnce());
      }
      return new Promise((resolve) => {
        const take = (release: Release): void => {
          signal?.removeEventListener('abort', giveUp);
          resolve(release);
        };
        const giveUp = (): void => {
          waiting.delete(take);
          resolve(undefined);
        };
        waiting.add(take);
        signal?.addEventListener('abort', giveUp, { once: true });
      });
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
  };
}
