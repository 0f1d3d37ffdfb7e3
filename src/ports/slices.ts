import { breathe, type Clock } from './clock.ts';

/** Short enough that the lease is renewed and health is answered in time. */
const longestSliceMs = 5;
/** Where time stands still while we work, turns are given by count. */
const mostSteps = 256;

/**
 * Runs long work to its end, a slice at a time: between slices everything else has its turn. The
 * result does not depend on where the slices end. Once the signal is aborted it rejects with its
 * reason after the slice, and the work stays where it is.
 */
export async function inSlices<T>(
  work: Iterator<unknown, T>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    const untilMs = clock.nowMs() + longestSliceMs;
    let steps = 0;
    // However slow the machine is, every slice gets something done.
    do {
      const { done, value } = work.next();
      if (done === true) return value;
      steps++;
    } while (steps < mostSteps && clock.nowMs() < untilMs);
    await breathe(clock);
    signal?.throwIfAborted();
  }
}
