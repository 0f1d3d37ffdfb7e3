import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** What repeated timings are reported as. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly all: readonly number[];
}

export function spreadOf(all: readonly number[]): Spread {
  const sorted = [...all].sort((a, b) => a - b);
  return { min: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, all };
}

/** The result of the call, and how long it took by the clock and by the processors of this process. */
export function timed<T>(call: () => T): {
  readonly result: T;
  readonly ms: number;
  readonly cpuMs: number;
} {
  const cpu = process.cpuUsage();
  const started = process.hrtime.bigint();
  const result = call();
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  const { user, system } = process.cpuUsage(cpu);
  return { result, ms, cpuMs: (user + system) / 1000 };
}

/** Collects garbage where node was started with --expose-gc, so that a run does not pay for the last. */
export function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cpus: number;
  readonly load_average_1m: number;
  readonly max_rss_mib: number;
}

/** Under which conditions a figure was taken. */
export function describeMachine(): Machine {
  const all = cpus();
  return {
    node: process.version,
    cpu: all[0]?.model.trim() ?? 'unknown',
    cpus: all.length,
    load_average_1m: loadAverage(),
    max_rss_mib: process.resourceUsage().maxRSS / 1024,
  };
}

function loadAverage(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
  } catch {
    return -1;
  }
}
