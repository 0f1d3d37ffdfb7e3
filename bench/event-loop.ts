import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSystemClock } from '../src/adapters/system/system-clock.ts';
import { Planner } from '../src/controllers/provisioning/planner.ts';
import { sleep } from '../src/ports/clock.ts';
import { questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { describeMachine, type Machine } from './timing.ts';
import { typesFrom } from './workloads/types.mjs';
import { generate } from './workloads.mjs';

export interface EventLoopReport {
  readonly pods: number;
  readonly family: string;
  readonly solve_ms: number;
  /** How late a timer came at worst while the plan was made: under 50. */
  readonly longest_delay_ms: number;
  readonly p99_delay_ms: number;
  /** The same while nothing was done, as this machine is loaded now. */
  readonly idle_longest_delay_ms: number;
  readonly machine: Machine;
}

const idleMs = 2_000;

/** Plans one large batch, in the controller's slices, and watches how late timers come meanwhile. */
export async function measure(
  raw: readonly RawInstanceType[],
  pods: number,
  family: string,
): Promise<EventLoopReport> {
  const clock = createSystemClock();
  const scenario = scenarioOf(generate({ family, pods, seed: 1, types: typesFrom(raw) }));
  const question = questionOf(scenario, instanceTypesOf(raw));
  const idle = await delayDuring(() => sleep(clock, idleMs));
  const startedMs = clock.nowMs();
  let solveMs = 0;
  const busy = await delayDuring(async () => {
    await new Planner(clock).plan({ ...question, supply: '' });
    solveMs = clock.nowMs() - startedMs;
  });
  return {
    pods: question.pods.length,
    family,
    solve_ms: solveMs,
    longest_delay_ms: busy.longestMs,
    p99_delay_ms: busy.p99Ms,
    idle_longest_delay_ms: idle.longestMs,
    machine: describeMachine(),
  };
}

async function delayDuring(
  work: () => Promise<void>,
): Promise<{ readonly longestMs: number; readonly p99Ms: number }> {
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
