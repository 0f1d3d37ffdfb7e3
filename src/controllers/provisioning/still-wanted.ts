import { isVirtual } from '../../core/cluster/buffer.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { NewNode, Placement, Plan } from '../../core/scheduling/plan.ts';
import type { Context } from '../context.ts';

/** Whether what a plan was made from still holds; asked again before each step that acts on it. */
export interface StillWanted {
  /** The pod is as it was, waits for a place, and has none. */
  pod(pod: Pod): boolean;
  /** Every pod of the order is, and its pool has not changed or gone. */
  order(node: NewNode): boolean;
  /** The node is there and takes pods. */
  place(nodeName: string): boolean;
}

/** Remembers the pools of this moment, to compare with later ones. */
export function createStillWanted({ informers, cluster }: Context): StillWanted {
  const generations = new Map(
    informers.nodePools.list().map(({ metadata }) => [metadata.name, metadata.generation]),
  );

  function isSamePod(pod: Pod): boolean {
    if (isVirtual(pod)) return true;
    const object = informers.pods.get(`${pod.namespace}/${pod.name}`);
    // A change that decides nothing leaves the same value.
    return object !== undefined && cluster.podOf(object) === pod;
  }

  function isSamePool(name: string): boolean {
    const pool = informers.nodePools.get(name);
    if (pool === undefined || pool.metadata.deletionTimestamp !== undefined) return false;
    return pool.metadata.generation === generations.get(name);
  }

  return {
    pod: isSamePod,
    order: (node) => isSamePool(node.pool.name) && node.pods.every(isSamePod),
    place: (nodeName) =>
      cluster.snapshot().nodes.some((node) => node.name === nodeName && !node.isLeaving),
  };
}

/** Pods that are looked at in one step. */
const stepLength = 64;

/** The placements that still hold, in small steps. Orders are checked one by one, when their turn comes. */
export function* stillHolding(plan: Plan, wanted: StillWanted): Generator<void, Plan> {
  const places = new Map<string, boolean>();
  const isThere = (name: string): boolean => {
    const known = places.get(name) ?? wanted.place(name);
    places.set(name, known);
    return known;
  };
  const placements: Placement[] = [];
  for (const [index, placement] of plan.placements.entries()) {
    if (index % stepLength === stepLength - 1) yield;
    if (wanted.pod(placement.pod) && isThere(placement.nodeName)) placements.push(placement);
  }
  return { ...plan, placements };
}
