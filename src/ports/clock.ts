/**
 * The only source of time. Every timer, deadline and timestamp of the controller and of the
 * embedded world comes from here, so that one story runs in real time for a person and in
 * milliseconds for a test.
 */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  /** Calls back once, `delayMs` from now. The returned function cancels; calling it late is harmless. */
  schedule(delayMs: number, callback: () => void): () => void;
  /** Resolves after everything that is due has had its turn; a timer of no delay where not given. */
  breathe?(): Promise<void>;
}

/** Lets everything else that is due have its turn, and comes back. No time passes by itself. */
export function breathe(clock: Clock): Promise<void> {
  return clock.breathe?.() ?? new Promise((resolve) => clock.schedule(0, () => resolve()));
}

/** Resolves after `delayMs`; rejects with the signal's reason once it is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
