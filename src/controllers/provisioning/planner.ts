import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Plan } from '../../core/scheduling/plan.ts';
import { reading } from '../../core/scheduling/refusing/refusal.ts';
import { type SolveSettings, solving } from '../../core/scheduling/solve.ts';
import type { Clock } from '../../ports/clock.ts';
import { inSlices } from '../../ports/slices.ts';
import { isSameList } from '../cluster-state/same-value.ts';
import { type Question, RefusalMemory } from './refusal-memory.ts';

interface Answered {
  readonly snapshot: Snapshot;
  readonly pods: readonly Pod[];
  readonly plan: Plan;
}

const emptyPlan: Plan = { placements: [], newNodes: [], unplaced: [] };

/**
 * Asks the engine, in slices, and only for what may have a new answer: pods that found no place
 * are not asked about again until something that could help them has changed.
 */
export class Planner {
  readonly #clock: Clock;
  readonly #settings: SolveSettings;
  readonly #refused = new RefusalMemory();
  #last: Answered | undefined;
  #solves = 0;

  constructor(clock: Clock, settings: SolveSettings = {}) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** How often the engine has been asked. */
  get solves(): number {
    return this.#solves;
  }

  async plan(question: Question): Promise<Plan> {
    const { snapshot } = question;
    const sorted = this.#refused.sort(question);
    const { open, known } = sorted;
    const plan = this.#isAnswered(snapshot, open)
      ? (this.#last?.plan ?? emptyPlan)
      : await this.#solve(snapshot, open);
    this.#refused.remember(plan, sorted, snapshot);
    if (known.length === 0) return plan;
    return { ...plan, unplaced: plan.unplaced.length === 0 ? known : [...plan.unplaced, ...known] };
  }

  /** What was answered may no longer hold: everything is asked anew. */
  forget(): void {
    this.#refused.forget();
    this.#last = undefined;
  }

  async #solve(snapshot: Snapshot, pods: readonly Pod[]): Promise<Plan> {
    this.#last = undefined;
    if (pods.length === 0) return emptyPlan;
    this.#solves++;
    const plan = await inSlices(solving(snapshot, pods, this.#settings), this.#clock);
    // What is ordered now changes the cluster, or has failed and must be tried again.
    if (plan.newNodes.length === 0) this.#last = { snapshot, pods, plan };
    return plan;
  }

  #isAnswered(snapshot: Snapshot, pods: readonly Pod[]): boolean {
    const last = this.#last;
    return (
      last !== undefined &&
      last.snapshot.nodes === snapshot.nodes &&
      last.snapshot.daemons === snapshot.daemons &&
      last.snapshot.namespaces === snapshot.namespaces &&
      isSameList(last.snapshot.pools, snapshot.pools) &&
      isSameList(last.pods, pods)
    );
  }
}

/**
 * Works out why pods have no place, in small steps. Reasons are worked out when they are read, which
 * takes its time for many kinds of pods; whoever reads them afterwards finds them.
 */
export function* readReasons({ unplaced }: Plan): Generator<void, void> {
  for (const refusal of new Set(unplaced.map((one) => one.refusal))) {
    yield* reading(refusal);
    yield;
  }
}
