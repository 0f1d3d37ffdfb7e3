import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSystemClock } from '../src/adapters/system/system-clock.ts';
import { sleep } from '../src/ports/clock.ts';

/** How late a timer came while something was done. */
export interface LoopDelay {
  readonly longestMs: number;
  readonly p99Ms: number;
}

/** Watches how late timers come during the work. */
export async function delayDuring(work: () => Promise<void>): Promise<LoopDelay> {
  const resolution = 1;
  const monitor = monitorEventLoopDelay({ resolution });
  monitor.enable();
  await work();
  // The last delay is only seen once the timer after it has come.
  await sleep(createSystemClock(), 100);
  monitor.disable();
  const above = (nanoseconds: number): number => nanoseconds / 1e6 - resolution;
  return { longestMs: above(monitor.max), p99Ms: above(monitor.percentile(99)) };
}

/** What the main thread has computed so far, whatever else the machine was busy with. Linux only. */
export function cpuOfThreadMs(): number | undefined {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  if (!existsSync(file)) return undefined;
  return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
}

/** The most that the main thread computed between two timers during the work. */
export async function longestTurnDuring(work: () => Promise<void>): Promise<number | undefined> {
  let since = cpuOfThreadMs();
  let longest = 0;
  const timer = setInterval(() => {
    const now = cpuOfThreadMs();
    longest = Math.max(longest, (now ?? 0) - (since ?? 0));
    since = now;
  }, 1);
  await work();
  await sleep(createSystemClock(), 10);
  clearInterval(timer);
  return since === undefined ? undefined : longest;
}
