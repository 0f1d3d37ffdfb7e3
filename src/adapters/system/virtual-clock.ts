import assert from 'node:assert/strict';
import type { Clock } from '../../ports/clock.ts';
import { TimerHeap } from './timer-heap.ts';

/** Time that moves only when it is driven, and then as fast as the machine can follow. */
export interface VirtualClock extends Clock {
  /** Lets `ms` pass: every timer on the way fires, in order, with all that follows from it. */
  runFor(ms: number): Promise<void>;
  /**
   * Lets time pass until the condition holds, looking after every instant, for `limitMs` at most.
   * Answers whether it came to hold. Time stays where it was when the condition was met.
   */
  runUntil(condition: () => boolean, limitMs: number): Promise<boolean>;
  /**
   * Time stands still until the work has settled. For what truly leaves this thread (a worker,
   * WebCrypto, compression): nothing else tells the clock that somebody is still busy.
   */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** How many timers wait, cancelled ones left out. */
  pendingTimers(): number;
}

const defaultStartMs = Date.UTC(2026, 0, 1);

/**
 * A clock for tests and simulation. Between two instants the event loop turns until nothing is
 * in flight: one turn runs every promise callback and tick there is, and file reads or
 * immediates that were started meanwhile are waited for. A timer that throws ends the run.
 */
export function createVirtualClock(startMs: number = defaultStartMs): VirtualClock {
  const timers = new TimerHeap();
  let nowMs = startMs;
  let isRunning = false;
  const held = new Set<Promise<unknown>>();

  async function settle(): Promise<void> {
    do {
      await turn();
      if (held.size > 0) await Promise.allSettled([...held]);
    } while (held.size > 0 || isBusyOutside());
  }

  /** Fires everything due at the next instant up to `endMs`. Answers whether there was anything. */
  function fireNext(endMs: number): boolean {
    const first = timers.peek();
    if (first === undefined || first.atMs > endMs) return false;
    nowMs = first.atMs;
    // Only what was scheduled before this instant began: a timer of no delay comes after the turn.
    const limit = timers.nextOrder;
    for (let timer = timers.peek(); timer !== undefined; timer = timers.peek()) {
      if (timer.atMs > nowMs || timer.order >= limit) break;
      timers.take()?.();
    }
    return true;
  }

  async function drive(condition: () => boolean, limitMs: number): Promise<boolean> {
    assert(!isRunning, 'the virtual clock is already being driven');
    isRunning = true;
    try {
      const endMs = nowMs + limitMs;
      await settle();
      while (!condition()) {
        if (!fireNext(endMs)) {
          nowMs = Math.max(nowMs, endMs);
          return false;
        }
        await settle();
      }
      return true;
    } finally {
      isRunning = false;
    }
  }

  return {
    nowMs: () => nowMs,
    schedule: (delayMs, callback) => {
      const timer = timers.add(nowMs + (delayMs > 0 ? delayMs : 0), callback);
      return () => timers.cancel(timer);
    },
    runFor: async (ms) => {
      await drive(() => false, ms);
    },
    runUntil: drive,
    waitFor: (work) => {
      held.add(work);
      const release = (): boolean => held.delete(work);
      work.then(release, release);
      return work;
    },
    pendingTimers: () => timers.size,
  };
}

/** One turn of the event loop: whatever promises and ticks are pending has run when it resolves. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** File requests and immediates come back in a later turn; until then somebody is at work. */
function isBusyOutside(): boolean {
  for (const name of process.getActiveResourcesInfo()) {
    if (name === 'Immediate' || name === 'CloseReq' || name.startsWith('FSReq')) return true;
  }
  return false;
}
