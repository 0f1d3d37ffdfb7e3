import { breathe, type Clock } from '../../ports/clock.ts';

/** Short enough that the lease is renewed and health is answered in time. */
const longestSliceMs = 10;
/** Where time stands still while we work, turns are given by count. */
const mostSteps = 256;

/**
 * Runs long work to its end, a slice at a time: between slices everything else has its turn. The
 * result does not depend on where the slices end.
 */
export async function inSlices<T>(work: Iterator<unknown, T>, clock: Clock): Promise<T> {
  for (;;) {
    const startedMs = clock.nowMs();
    for (let steps = 0; steps < mostSteps && clock.nowMs() - startedMs < longestSliceMs; steps++) {
      const { done, value } = work.next();
      if (done === true) return value;
    }
    await breathe(clock);
  }
}
