/** A signal of our own that follows the caller's. */
export interface Cancel {
  readonly signal: AbortSignal;
  forget(): void;
}

/** @throws whatever the caller's signal throws when it is listened to */
export function followSignal(theirs: AbortSignal | undefined): Cancel {
  const own = new AbortController();
  const abort = (): void => own.abort();
  if (theirs?.aborted === true) abort();
  theirs?.addEventListener('abort', abort, { once: true });
  return {
    signal: own.signal,
    forget: () => {
      try {
        theirs?.removeEventListener('abort', abort);
      } catch {
        // What was decided stands; the listener does nothing any more.
      }
    },
  };
}
