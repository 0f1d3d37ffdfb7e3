import type { Random } from '../ports/random.ts';

interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** Spreads delays over half their length; without it they are exact. */
  readonly random?: Random | undefined;
}

/** Delays that double with every failure in a row. */
interface Backoff {
  /** The delay after one more failure. */
  nextMs(): number;
  /** Starts again from the shortest. */
  reset(): void;
}

export function createBackoff(options: BackoffOptions): Backoff {
  let failures = 0;
  return {
    nextMs: () => backoffMs(options, failures++),
    reset: () => {
      failures = 0;
    },
  };
}

/** The delay after `failures` earlier failures: doubled each time, jittered downwards by up to half. */
export function backoffMs(options: BackoffOptions, failures: number): number {
  const { minMs, maxMs, random } = options;
  // Beyond 2^40 the product means nothing more than the maximum.
  const fullMs = Math.min(maxMs, minMs * 2 ** Math.min(failures, 40));
  return random === undefined ? fullMs : fullMs * (1 - random.fraction() / 2);
}
