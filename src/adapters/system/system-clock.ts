import type { Clock } from '../../ports/clock.ts';

/** The longest delay that a Node timer keeps; anything above it would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Time as the machine tells it. Delays of any length are kept; a negative or missing one means
 * as soon as possible. Timers keep the process alive until they fire or are cancelled.
 */
export function createSystemClock(): Clock {
  return { nowMs: () => Date.now(), schedule: scheduleTimer, breathe: nextTurn };
}

/** Input and timers that are due come first; unlike a timer it costs no millisecond. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function scheduleTimer(delayMs: number, callback: () => void): () => void {
  let remainingMs = delayMs > 0 ? delayMs : 0;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const legMs = Math.min(remainingMs, longestTimerMs);
    remainingMs -= legMs;
    timer = setTimeout(remainingMs > 0 ? arm : callback, legMs);
  };
  arm();
  return () => clearTimeout(timer);
}
