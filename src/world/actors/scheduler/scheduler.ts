import type { PodObject } from '../../../api/kubernetes/core.ts';
import { keyOf } from '../../../api/resource.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { inParallel } from '../in-parallel.ts';
import type { Stage } from '../stage.ts';
import { bind, type Placement } from './binder.ts';
import { chooseNode } from './choose-node.ts';
import type { ClusterState } from './cluster-state.ts';
import { type FailedPod, FailureReports } from './failure-report.ts';
import { feasibility } from './feasibility.ts';
import { LostNominations } from './lost-nominations.ts';
import type { SchedulingPod } from './placed-pod.ts';
import { byUrgency, isWorthATry, type WaitingPod, waitingPod, wantsNode } from './waiting-pods.ts';

/** Pods decided between two rests for the event loop, so that watches and leases keep going. */
const sliceLength = 100;
const bindingsAtOnce = 16;
const retryAfterRefusalMs = 1_000;

interface Failure {
  readonly message: string;
  readonly generation: number;
  readonly placements: number;
}

/**
 * kube-scheduler's part: gives every waiting pod a node that all rules accept, or says why there
 * is none. It never preempts. Pods that every rule judges alike are judged once per state.
 */
export class Scheduler {
  readonly #stage: Stage;
  readonly #cluster: ClusterState;
  readonly #reports: FailureReports;
  readonly #waiting = new Map<string, WaitingPod>();
  /** Bound by us, not yet seen bound: the uid by key. */
  readonly #assumed = new Map<string, string>();
  readonly #failures = new Map<string, Failure>();
  readonly #lostNominations = new LostNominations();

  constructor(stage: Stage, cluster: ClusterState) {
    this.#stage = stage;
    this.#cluster = cluster;
    this.#reports = new FailureReports(stage.ports);
  }

  /** Takes in a pod as the API server shows it. Answers whether a round is worth running. */
  observe(pod: PodObject): boolean {
    const key = keyOf(pod);
    const generation = this.#cluster.generation;
    if (wantsNode(pod)) {
      // An older view of a pod that we have bound since must not free its place.
      if (this.#assumed.get(key) === pod.metadata.uid) return false;
      const before = this.#waiting.get(key);
      const waiting = waitingPod(pod);
      this.#waiting.set(key, waiting);
      this.#cluster.promise(waiting.pod);
      return isWorthATry(before, waiting);
    }
    this.#stopWaiting(key);
    this.#cluster.setPod(pod);
    return this.#cluster.generation !== generation;
  }

  forget(key: string): void {
    this.#stopWaiting(key);
    this.#cluster.removePod(key);
  }

  /** Tries every waiting pod once, the most urgent first. */
  async round(signal: AbortSignal): Promise<Requeue> {
    const queue = [...this.#waiting.values()].sort(byUrgency);
    const failed: FailedPod[] = [];
    let refused = 0;
    for (let start = 0; start < queue.length && !signal.aborted; start += sliceLength) {
      const placements: Placement[] = [];
      for (const waiting of queue.slice(start, start + sliceLength)) {
        const outcome = this.#decide(waiting);
        if (outcome === undefined) continue;
        if (typeof outcome === 'string') failed.push(this.#fail(waiting.pod, outcome));
        else placements.push(outcome);
      }
      refused += await this.#bindAll(placements);
    }
    const stillWaiting = failed.filter(({ pod }) => this.#waiting.has(keyOf(pod)));
    const reportInMs = await this.#reports.tell(stillWaiting);
    const againInMs = Math.min(
      refused > 0 ? retryAfterRefusalMs : Infinity,
      reportInMs ?? Infinity,
      this.#shortestRestMs(stillWaiting),
    );
    return againInMs === Infinity ? onChange : after(againInMs);
  }

  /** Its nomination is forgotten at once, so that the next pod is judged without it. */
  #fail(pod: SchedulingPod, message: string): FailedPod {
    const nowMs = this.#stage.ports.clock.nowMs();
    const hasLostNomination = this.#lostNominations.failed(pod.object, nowMs);
    if (hasLostNomination) this.#cluster.breakPromise(pod.key);
    return { pod: pod.object, message, hasLostNomination };
  }

  #shortestRestMs(failed: readonly FailedPod[]): number {
    const nowMs = this.#stage.ports.clock.nowMs();
    const rests = failed.map(({ pod, hasLostNomination }) =>
      hasLostNomination ? undefined : this.#lostNominations.restMs(pod, nowMs),
    );
    return rests.reduce<number>((least, rest) => Math.min(least, rest ?? Infinity), Infinity);
  }

  /** Binds them and answers how many were refused. Every one is tried before a failure is thrown. */
  async #bindAll(placements: readonly Placement[]): Promise<number> {
    const failures: unknown[] = [];
    let refused = 0;
    await inParallel(placements, bindingsAtOnce, async (placement) => {
      try {
        if (!(await this.#carryOut(placement))) refused++;
      } catch (error) {
        failures.push(error);
      }
    });
    if (failures.length > 0) throw failures[0];
    return refused;
  }

  /** Where the pod goes, or the message why nowhere; undefined when it left while we were busy. */
  #decide(waiting: WaitingPod): Placement | string | undefined {
    const { pod } = waiting;
    if (this.#waiting.get(pod.key) !== waiting) return undefined;
    const cluster = this.#cluster;
    const known = this.#failures.get(waiting.likeness);
    if (known !== undefined && this.#stillHolds(known, waiting)) return known.message;
    const answer = feasibility(pod, cluster);
    if (answer.kind === 'unschedulable') {
      const { generation, placements } = cluster;
      this.#failures.set(waiting.likeness, { message: answer.message, generation, placements });
      return answer.message;
    }
    const node = chooseNode({ pod, nodes: answer.nodes, cluster });
    if (node === undefined) return undefined;
    this.#waiting.delete(pod.key);
    this.#assumed.set(pod.key, pod.object.metadata.uid ?? '');
    cluster.assume(pod, node.name);
    return { pod, nodeName: node.name };
  }

  #stillHolds(failure: Failure, waiting: WaitingPod): boolean {
    if (failure.generation !== this.#cluster.generation) {
      this.#failures.clear();
      return false;
    }
    return !waiting.looksAtPods || failure.placements === this.#cluster.placements;
  }

  async #carryOut(placement: Placement): Promise<boolean> {
    const { key, object } = placement.pod;
    this.#reports.forget(key);
    let isBound = false;
    try {
      isBound = (await bind(this.#stage, placement)) === 'bound';
    } finally {
      if (!isBound && this.#assumed.get(key) === object.metadata.uid) {
        // It waits again unless the watch tells that it is gone or has a node.
        this.#assumed.delete(key);
        this.#cluster.removePod(key);
        this.#waiting.set(key, waitingPod(object));
      }
    }
    return isBound;
  }

  #stopWaiting(key: string): void {
    this.#waiting.delete(key);
    this.#assumed.delete(key);
    this.#reports.forget(key);
    this.#lostNominations.forget(key);
  }
}
