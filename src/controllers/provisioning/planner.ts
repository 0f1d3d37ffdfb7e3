import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Refusal } from '../../core/explain/reason.ts';
import type { Plan } from '../../core/scheduling/plan.ts';
import { reading } from '../../core/scheduling/refusing/refusal.ts';
import { type SolveSettings, solving } from '../../core/scheduling/solve.ts';
import type { Clock } from '../../ports/clock.ts';
import { inSlices } from '../../ports/slices.ts';
import { isSameList } from '../cluster-state/same-value.ts';

/** What is to be planned. `supply` changes whenever a pod without a place might find one. */
export interface Question {
  readonly snapshot: Snapshot;
  readonly pods: readonly Pod[];
  readonly supply: string;
}

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
  readonly #refused = new Map<string, { readonly pod: Pod; readonly refusal: Refusal }>();
  /** Pods for which the last plan had a place, as they were then. */
  #placed: ReadonlyMap<string, Pod> = new Map();
  #supply = '';
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
    const { snapshot, pods, supply } = question;
    this.#forgetOutdated(supply, pods);
    const open = pods.filter((pod) => this.#refused.get(pod.uid)?.pod !== pod);
    const plan = this.#isAnswered(snapshot, open)
      ? (this.#last?.plan ?? emptyPlan)
      : await this.#solve(snapshot, open);
    const known = pods.flatMap((pod) => {
      const refused = this.#refused.get(pod.uid);
      return refused?.pod === pod ? [{ pod, refusal: refused.refusal }] : [];
    });
    this.#remember(plan);
    return known.length === 0 ? plan : { ...plan, unplaced: [...plan.unplaced, ...known] };
  }

  /** What was answered may no longer hold: everything is asked anew. */
  forget(): void {
    this.#refused.clear();
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

  /**
   * Beside nodes that are to be ordered, refusals may be their doing: they use limits up. Should an
   * order come to nothing, no change of the cluster would tell.
   */
  #remember({ unplaced, placements, newNodes }: Plan): void {
    this.#placed = new Map(placements.map(({ pod }) => [pod.uid, pod]));
    if (newNodes.length > 0) return;
    for (const { pod, refusal } of unplaced)
      if (standsAlone(pod)) this.#refused.set(pod.uid, { pod, refusal });
  }

  #forgetOutdated(supply: string, pods: readonly Pod[]): void {
    // A pod that waits for its place and has become smaller leaves more of it to others.
    const hasOtherSize = pods.some((pod) => (this.#placed.get(pod.uid) ?? pod) !== pod);
    if (supply !== this.#supply || hasOtherSize) this.#refused.clear();
    this.#supply = supply;
    if (this.#refused.size === 0) return;
    const waiting = new Set(pods.map((pod) => pod.uid));
    for (const uid of [...this.#refused.keys()]) if (!waiting.has(uid)) this.#refused.delete(uid);
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

/**
 * Whether what other pods do can never help it: one that does not stand alone goes where they are,
 * evens them out, or has a claim after them.
 */
function standsAlone(pod: Pod): boolean {
  const isRivalled = pod.volumes?.exclusive !== undefined;
  const isSpread = pod.spread?.some(({ isHard }) => isHard) === true;
  return pod.affinity === undefined && !isSpread && !isRivalled;
}
