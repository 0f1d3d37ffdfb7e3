import { createSystemClock } from '../src/adapters/system/system-clock.ts';
import { keepYoungGenerationSmall } from '../src/adapters/system/young-generation.ts';
import { Planner, readReasons } from '../src/controllers/provisioning/planner.ts';
import { breathe, type Clock, sleep } from '../src/ports/clock.ts';
import { inSlices } from '../src/ports/slices.ts';
import { questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { cpuOfThreadMs, delayDuring } from './loop-delay.ts';
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
  /**
   * The most that the main thread computed between two turns of others, its garbage collection
   * included: what the longest delay would be if this process had a core for itself. Linux only.
   */
  readonly longest_turn_cpu_ms: number | undefined;
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
  // As the controller does when it starts.
  keepYoungGenerationSmall();
  const clock = createSystemClock();
  const scenario = scenarioOf(generate({ family, pods, seed: 1, types: typesFrom(raw) }));
  const question = questionOf(scenario, instanceTypesOf(raw));
  const idle = await delayDuring(() => sleep(clock, idleMs));
  const startedMs = clock.nowMs();
  let solveMs = 0;
  const turns = countingTurns(clock);
  const busy = await delayDuring(async () => {
    const plan = await new Planner(turns.clock).plan({ ...question, supply: '' });
    await inSlices(readReasons(plan), turns.clock);
    solveMs = clock.nowMs() - startedMs;
  });
  return {
    pods: question.pods.length,
    family,
    solve_ms: solveMs,
    longest_delay_ms: busy.longestMs,
    p99_delay_ms: busy.p99Ms,
    longest_turn_cpu_ms: turns.longestCpuMs(),
    idle_longest_delay_ms: idle.longestMs,
    machine: describeMachine(),
  };
}

/** The clock, with an eye on how much is computed between two breaths. */
function countingTurns(clock: Clock): {
  readonly clock: Clock;
  readonly longestCpuMs: () => number | undefined;
} {
  let since = cpuOfThreadMs();
  let longest = 0;
  const rest = (): void => {
    const now = cpuOfThreadMs();
    longest = Math.max(longest, (now ?? 0) - (since ?? 0));
  };
  const watched: Clock = {
    nowMs: () => clock.nowMs(),
    schedule: (delayMs, callback) => clock.schedule(delayMs, callback),
    breathe: async () => {
      rest();
      await breathe(clock);
      since = cpuOfThreadMs();
    },
  };
  const longestCpuMs = (): number | undefined => {
    rest();
    return since === undefined ? undefined : longest;
  };
  return { clock: watched, longestCpuMs };
}
