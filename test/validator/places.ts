import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import type { Pod, Taint } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { NewNode, Plan } from '../../src/core/scheduling/plan.ts';
import { type Labels, launchLabels, machineLabels, meets, nodeLabels } from './label-rules.ts';

const hostname = 'kubernetes.io/hostname';

/** A node once the plan has been carried out, with the pods that were there and those that come. */
export interface Place {
  readonly name: string;
  /** No pod can come to it; those that stay on it count like any other. */
  readonly isLeaving: boolean;
  /** It is ordered and has not joined: it may have more labels once it has. */
  readonly isComing: boolean;
  /** Pods can be bound to it now. */
  readonly isThere: boolean;
  readonly taints: readonly Taint[];
  /** The labels it will have if it is launched as planned. */
  readonly expected: Labels;
  /** The labels it may have: one set for a node that exists, one per possible launch for a new one. */
  readonly possible: readonly Labels[];
  /** Labels that neither the order nor its launch settles, with the values left to them. */
  readonly open: ReadonlyMap<string, ReadonlySet<string>>;
  /** Without those that are going, have another place in the plan, or go with a leaving node. */
  readonly residents: readonly Pod[];
  readonly newcomers: readonly Pod[];
}

/** Everything that pods can be near to: nodes that are there, and the new ones. */
export function placesOf(snapshot: Snapshot, plan: Plan): readonly Place[] {
  const arrivals = new Map<string, Pod[]>();
  for (const { pod, nodeName } of plan.placements)
    arrivals.set(nodeName, [...(arrivals.get(nodeName) ?? []), pod]);
  const moving = new Set(
    [
      ...plan.placements.map(({ pod }) => pod),
      ...plan.newNodes.flatMap(({ pods }) => pods),
      ...plan.unplaced.map(({ pod }) => pod),
    ].map(({ uid }) => uid),
  );
  // Who is going keeps nobody away for long and is no company either, place or no place.
  const isStaying = (pod: Pod): boolean => !pod.isTerminating && !moving.has(pod.uid);
  const existing = snapshot.nodes.map((node): Place => {
    const labels = nodeLabels(node);
    const arriving = arrivals.get(node.name) ?? [];
    const staying = node.pods.filter(isStaying);
    // Daemons go with their node; whoever else stays keeps it in the cluster, taint or no taint.
    const isGone = node.isLeaving && staying.every((pod) => pod.isDaemon || pod.isMirror);
    // A place that an earlier plan promised is kept: beside whom was asked when it was promised.
    const isDecided = (pod: Pod): boolean => node.reservedFor.includes(pod.uid);
    return {
      name: node.name,
      isLeaving: node.isLeaving,
      isComing: node.stage === 'ordered' || node.stage === 'launched',
      isThere: node.stage === 'initialized',
      taints: node.taints,
      expected: labels,
      possible: [labels],
      open: new Map(
        [...(node.openLabels ?? [])].flatMap(([key, set]) =>
          set.kind === 'only' ? [[key, set.values]] : [],
        ),
      ),
      residents: [...(isGone ? [] : staying), ...arriving.filter(isDecided)],
      newcomers: arriving.filter((pod) => !isDecided(pod)),
    };
  });
  return [...existing, ...plan.newNodes.map(newPlace)];
}

function newPlace(node: NewNode, index: number): Place {
  const name = nameOfNew(index);
  const launches = launchesOf(node);
  const planned = launches.find(
    ({ type, offering }) =>
      type.name === node.cheapest.instanceType &&
      offering.zone === node.cheapest.zone &&
      offering.capacityType === node.cheapest.capacityType,
  );
  const named = (labels: Labels): Labels => ({ ...labels, [hostname]: name });
  return {
    name,
    isLeaving: false,
    isComing: false,
    isThere: false,
    taints: node.pool.taints,
    expected: named(planned?.labels ?? {}),
    possible: launches.map(({ labels }) => named(labels)),
    open: openLabels(node),
    residents: [],
    newcomers: node.pods,
  };
}

function openLabels(node: NewNode): ReadonlyMap<string, ReadonlySet<string>> {
  const settled = new Set([
    ...Object.keys(node.pool.labels),
    ...node.instanceTypes.flatMap((type) => [...type.requirements.keys()]),
  ]);
  return new Map(
    [...node.requirements].flatMap(([key, set]) =>
      set.kind === 'only' && set.values.size > 1 && !settled.has(key) ? [[key, set.values]] : [],
    ),
  );
}

export function nameOfNew(index: number): string {
  return `new node ${index}`;
}

/** One way to launch an order, and the labels that the node then has. */
export interface Launch {
  readonly type: InstanceType;
  readonly offering: Offering;
  readonly labels: Labels;
}

type Order = Pick<NewNode, 'pool' | 'requirements' | 'instanceTypes'>;

const known = new WeakMap<Order, readonly Launch[]>();

/** Everything that the order lets the cloud choose; found once, since the list is long. */
export function launchesOf(order: Order): readonly Launch[] {
  const launches = known.get(order) ?? findLaunches(order);
  known.set(order, launches);
  return launches;
}

function findLaunches(node: Order): readonly Launch[] {
  return node.instanceTypes.flatMap((type) => {
    const base = machineLabels(node, type);
    return type.offerings
      .filter((offering) => offering.isAvailable)
      .map((offering) => ({ type, offering, labels: launchLabels(node, base, offering) }))
      .filter(({ labels }) => meets(labels, node.requirements));
  });
}

const knownValues = new WeakMap<Place, Map<string, ReadonlySet<string>>>();

/** The values of a label that a place may end up with. */
export function valuesAt(place: Place, key: string): ReadonlySet<string> {
  const own = knownValues.get(place) ?? new Map<string, ReadonlySet<string>>();
  knownValues.set(place, own);
  const values = place.open.get(key) ?? own.get(key) ?? new Set(settledValues(place, key));
  own.set(key, values);
  return values;
}

function settledValues(place: Place, key: string): readonly string[] {
  return place.possible.map((labels) => labels[key]).filter((value) => value !== undefined);
}
