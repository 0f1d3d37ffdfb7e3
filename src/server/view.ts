import type { Pod } from '../core/cluster/pod.ts';
import type { Node, Snapshot } from '../core/cluster/snapshot.ts';
import type { Refusal, RefusalCode } from '../core/explain/reason.ts';
import { add, noResources, type Resources } from '../core/quantity/resources.ts';
import { byName, compareText } from '../core/text-order.ts';
import type { Observation, PendingPod } from '../ports/observation.ts';

/** The cluster as the console and the terminal draw it: plain JSON, everything precomputed. */
export interface ClusterView {
  readonly atMs: number;
  readonly clusterName: string;
  readonly totals: TotalsView;
  readonly pools: readonly PoolView[];
  readonly nodes: readonly NodeView[];
  readonly pending: readonly PendingView[];
  /** The trees of reasons behind the refusals of pending pods; pods alike share one. */
  readonly reasons: readonly ReasonView[];
}

/** Which rules left how much of each pool and of the nodes, what came closest, what would help. */
export type ReasonView = Pick<Refusal, 'parts' | 'nodes'> & {
  readonly remedies: readonly string[];
};

export interface TotalsView {
  readonly nodes: number;
  readonly podsRunning: number;
  readonly podsPending: number;
  readonly usdPerHour: number;
  readonly usdPerMonth: number;
  readonly cpuMillis: Share;
  readonly memoryBytes: Share;
}

export interface Share {
  readonly requested: number;
  readonly allocatable: number;
}

export interface PoolView {
  readonly name: string;
  readonly weight: number;
  readonly nodes: number;
  readonly usdPerHour: number;
  readonly notReady?: string | undefined;
}

export interface NodeView {
  readonly name: string;
  readonly claimName?: string | undefined;
  readonly poolName?: string | undefined;
  readonly stage: Node['stage'];
  readonly isReady: boolean;
  readonly isLeaving: boolean;
  readonly instanceType?: string | undefined;
  readonly zone?: string | undefined;
  readonly capacityType?: string | undefined;
  readonly usdPerHour?: number | undefined;
  readonly createdAtMs: number;
  readonly cpuMillis: Share;
  readonly memoryBytes: Share;
  readonly podSlots: Share;
  readonly pods: readonly PodView[];
}

export interface PodView {
  readonly namespace: string;
  readonly name: string;
  readonly ownerName?: string | undefined;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly isDaemon: boolean;
  readonly isTerminating: boolean;
}

export interface PendingView {
  readonly namespace: string;
  readonly name: string;
  readonly waitsFor?: string | undefined;
  readonly refusal?: RefusalView | undefined;
}

export interface RefusalView {
  readonly code: RefusalCode;
  readonly sentence: string;
  /** The place of its tree in `reasons`; left out beyond the first hundred trees. */
  readonly reason?: number | undefined;
}

const hoursPerMonth = 730;

/** What `observation` shows at this moment. */
export function viewOf(observation: Observation, clusterName: string): ClusterView {
  const snapshot = observation.snapshot();
  const nodes = [...snapshot.nodes].sort(byName).map(nodeView);
  const reasons = new Reasons();
  const pending = observation.pending().map((pod) => pendingView(pod, reasons));
  return {
    atMs: snapshot.atMs,
    clusterName,
    totals: totalsView(nodes, pending.length),
    pools: poolViews(snapshot, nodes),
    nodes,
    pending,
    reasons: reasons.list,
  };
}

/** More trees than these nobody reads, and every view carries them. */
const mostReasons = 100;

/** Numbers the trees, each once. */
class Reasons {
  readonly list: ReasonView[] = [];
  readonly #places = new Map<Refusal, number>();

  of(refusal: Refusal): number | undefined {
    const known = this.#places.get(refusal);
    if (known !== undefined || this.list.length >= mostReasons) return known;
    const { parts, nodes, remedies = [] } = refusal;
    this.#places.set(refusal, this.list.length);
    return this.list.push({ parts, nodes, remedies: remedies.map(({ sentence }) => sentence) }) - 1;
  }
}

function nodeView(node: Node): NodeView {
  const requested = node.pods.reduce<Resources>((sum, pod) => add(sum, pod.requests), noResources);
  const share = (resource: string): Share => ({
    requested: requested[resource] ?? 0,
    allocatable: node.allocatable[resource] ?? 0,
  });
  return {
    name: node.name,
    claimName: node.claimName,
    poolName: node.poolName,
    stage: node.stage,
    isReady: node.isReady,
    isLeaving: node.isLeaving,
    instanceType: node.instanceType,
    zone: node.zone,
    capacityType: node.capacityType,
    usdPerHour: node.priceUsdPerHour,
    createdAtMs: node.createdAtMs,
    cpuMillis: share('cpu'),
    memoryBytes: share('memory'),
    podSlots: share('pods'),
    pods: [...node.pods].sort(byNamespaceAndName).map(podView),
  };
}

function podView(pod: Pod): PodView {
  return {
    namespace: pod.namespace,
    name: pod.name,
    ownerName: pod.owner?.name,
    cpuMillis: pod.requests.cpu ?? 0,
    memoryBytes: pod.requests.memory ?? 0,
    isDaemon: pod.isDaemon,
    isTerminating: pod.isTerminating,
  };
}

function pendingView({ pod, waitsFor, refusal }: PendingPod, reasons: Reasons): PendingView {
  return {
    namespace: pod.namespace,
    name: pod.name,
    waitsFor,
    refusal:
      refusal === undefined
        ? undefined
        : { code: refusal.code, sentence: refusal.sentence, reason: reasons.of(refusal) },
  };
}

function poolViews(snapshot: Snapshot, nodes: readonly NodeView[]): readonly PoolView[] {
  return [...snapshot.pools].sort(byName).map((pool) => {
    const members = nodes.filter((node) => node.poolName === pool.name);
    return {
      name: pool.name,
      weight: pool.weight,
      nodes: members.length,
      usdPerHour: sum(members, (node) => node.usdPerHour ?? 0),
      notReady: pool.notReady,
    };
  });
}

function totalsView(nodes: readonly NodeView[], podsPending: number): TotalsView {
  const usdPerHour = sum(nodes, (node) => node.usdPerHour ?? 0);
  const total = (share: (node: NodeView) => Share): Share => ({
    requested: sum(nodes, (node) => share(node).requested),
    allocatable: sum(nodes, (node) => share(node).allocatable),
  });
  return {
    nodes: nodes.length,
    podsRunning: sum(nodes, (node) => node.pods.length),
    podsPending,
    usdPerHour,
    usdPerMonth: usdPerHour * hoursPerMonth,
    cpuMillis: total((node) => node.cpuMillis),
    memoryBytes: total((node) => node.memoryBytes),
  };
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}

function byNamespaceAndName(a: Pod, b: Pod): number {
  return compareText(a.namespace, b.namespace) || byName(a, b);
}
