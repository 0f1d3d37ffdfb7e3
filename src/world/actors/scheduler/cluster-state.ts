import type { NodeObject, PodAffinityTerm, PodObject } from '../../../api/kubernetes/core.ts';
import { keyOf } from '../../../api/resource.ts';
import { byName } from '../../../core/text-order.ts';
import { isTerminal } from '../pod-state.ts';
import { NodeState } from './node-state.ts';
import { type SchedulingPod, schedulingPod } from './placed-pod.ts';
import { Promises } from './promises.ts';

/** What rules ask about things that are neither pods nor nodes. */
interface Surroundings {
  namespaceLabels(namespace: string): Readonly<Record<string, string>>;
  /** Node labels that the pod's bound volumes insist on; each entry is one volume's demand. */
  volumeDemands(pod: PodObject): readonly VolumeDemand[];
}

/** Zone and region labels of one bound volume, with the values that it accepts for each. */
export type VolumeDemand = Readonly<Record<string, readonly string[]>>;

/** Nodes and the pods on them, kept incrementally: a change costs what it changes and no more. */
export class ClusterState {
  readonly surroundings: Surroundings;
  readonly #nodes = new Map<string, NodeState>();
  /** Where each counted pod was counted, also while its node is not known yet. */
  readonly #placed = new Map<string, { readonly pod: SchedulingPod; readonly nodeName: string }>();
  readonly #guards = new Map<string, GuardGroup>();
  readonly #promises = new Promises();
  #sorted: readonly NodeState[] | undefined;
  #generation = 0;
  #placements = 0;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  /** Rises when a node changes or room is freed: a pod that failed before may fit now. */
  get generation(): number {
    return this.#generation;
  }

  /** Rises when a pod is placed, which helps only pods that look at other pods. */
  get placements(): number {
    return this.#placements;
  }

  /** Something outside of nodes and pods changed that rules look at. */
  invalidate(): void {
    this.#generation++;
  }

  /** Every node, by name. */
  nodes(): readonly NodeState[] {
    this.#sorted ??= [...this.#nodes.values()].sort(byName);
    return this.#sorted;
  }

  node(name: string): NodeState | undefined {
    return this.#nodes.get(name);
  }

  /** Pods on nodes that refuse company by required anti-affinity, those alike taken together. */
  guards(): Iterable<GuardGroup> {
    return this.#guards.values();
  }

  /** Pods without a node yet whose room on it is kept from this one. */
  promisedTo(nodeName: string, pod: SchedulingPod): readonly SchedulingPod[] {
    return this.#promises.against(pod, nodeName);
  }

  /** Keeps room for a waiting pod on the node that it is nominated for, and nowhere else. */
  promise(pod: SchedulingPod): void {
    if (this.#promises.keep(pod)) this.#generation++;
  }

  /** Keeps no room for the pod any more, whatever it says, until it is heard of again. */
  breakPromise(key: string): void {
    if (this.#promises.release(key) !== undefined) this.#generation++;
  }

  setNode(node: NodeObject): void {
    const known = this.#nodes.get(node.metadata.name);
    if (known !== undefined) {
      // Heartbeats change no decision and must not send every waiting pod round again.
      if (fingerprint(known.node) !== fingerprint(node)) this.#generation++;
      known.replace(node);
      return;
    }
    this.#generation++;
    const state = new NodeState(node);
    this.#nodes.set(state.name, state);
    this.#sorted = undefined;
    for (const { pod, nodeName } of this.#placed.values()) {
      if (nodeName === state.name) state.add(pod);
    }
  }

  removeNode(name: string): void {
    if (!this.#nodes.delete(name)) return;
    this.#sorted = undefined;
    this.#generation++;
  }

  /** Counts the pod where it is bound, or no longer if it has ended. Safe to repeat. */
  setPod(object: PodObject): void {
    const nodeName = object.spec.nodeName;
    if (nodeName === undefined || nodeName === '' || isTerminal(object)) {
      this.removePod(keyOf(object));
      return;
    }
    const pod = schedulingPod(object);
    const known = this.#placed.get(pod.key);
    this.breakPromise(pod.key);
    const isSame = known?.nodeName === nodeName && isAlike(known.pod, pod);
    if (known !== undefined) this.#take(known);
    if (known !== undefined && !isSame) this.#generation++;
    if (!isSame) this.#placements++;
    this.#put(pod, nodeName);
  }

  /** Counts a pod on a node before the API server has heard of it. */
  assume(pod: SchedulingPod, nodeName: string): void {
    this.#placements++;
    const promised = this.#promises.release(pod.key);
    if (promised !== undefined && promised !== nodeName) this.#generation++;
    this.#put(pod, nodeName);
  }

  removePod(key: string): void {
    this.breakPromise(key);
    const placed = this.#placed.get(key);
    if (placed === undefined) return;
    this.#take(placed);
    this.#generation++;
  }

  #put(pod: SchedulingPod, nodeName: string): void {
    this.#placed.set(pod.key, { pod, nodeName });
    this.#countGuard(pod, nodeName, 1);
    this.#nodes.get(nodeName)?.add(pod);
  }

  #countGuard(pod: SchedulingPod, nodeName: string, change: 1 | -1): void {
    if (pod.refusal === '') return;
    const { namespace } = pod.peers;
    const known = this.#guards.get(pod.refusal);
    const group = known ?? { namespace, terms: pod.antiAffinity, counts: new Map() };
    const count = (group.counts.get(nodeName) ?? 0) + change;
    if (count > 0) group.counts.set(nodeName, count);
    else group.counts.delete(nodeName);
    if (group.counts.size > 0) this.#guards.set(pod.refusal, group);
    else this.#guards.delete(pod.refusal);
  }

  #take(placed: { readonly pod: SchedulingPod; readonly nodeName: string }): void {
    this.#placed.delete(placed.pod.key);
    this.#countGuard(placed.pod, placed.nodeName, -1);
    this.#nodes.get(placed.nodeName)?.remove(placed.pod);
  }
}

/** Placed pods that refuse the same company, and how many are on which node. */
interface GuardGroup {
  readonly namespace: string;
  readonly terms: readonly PodAffinityTerm[];
  readonly counts: Map<string, number>;
}

function isAlike(a: SchedulingPod, b: SchedulingPod): boolean {
  return a.peers.id === b.peers.id && JSON.stringify(a.requests) === JSON.stringify(b.requests);
}

function fingerprint(node: NodeObject): string {
  const { taints, unschedulable } = node.spec ?? {};
  return JSON.stringify([node.metadata.labels, taints, unschedulable, node.status?.allocatable]);
}
