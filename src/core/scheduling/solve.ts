import type { Pod } from '../cluster/pod.ts';
import { classesOf, type PodClass } from '../cluster/pod-class.ts';
import type { Pool, Snapshot } from '../cluster/snapshot.ts';
import { type Slot, Workspace } from '../cluster/workspace.ts';
import type { Refusal } from '../explain/reason.ts';
import { columnsOf } from '../quantity/columns.ts';
import { byName } from '../text-order.ts';
import { LimitLedger } from './limits.ts';
import type { NewNode, Placement, Plan, Unplaced } from './plan.ts';
import { refusalOf, refusalOfPod } from './refusal.ts';
import { shapesOf } from './shape.ts';
import { orderFromTier, type WaitingClass } from './tier.ts';

export interface SolveSettings {
  /** How many instance types an order may name at most; 60 where not given. */
  readonly mostInstanceTypes?: number | undefined;
}

/**
 * Where every pod goes: existing and ordered nodes first, then new nodes, from heavier pools
 * before lighter ones, at the least price. Pure, and the same whatever the order of its input.
 *
 * `pods` are all pods that wait for a place, those that a node is reserved for included: a
 * reservation (`Node.reservedFor`) holds only for pods that are named here, and such a pod is
 * placed on its node again in every plan until it is bound.
 */
export function solve(
  snapshot: Snapshot,
  pods: readonly Pod[],
  settings: SolveSettings = {},
): Plan {
  const refused = new Map<PodClass, Refusal>();
  const workspace = new Workspace(snapshot, pods);
  const classes = classesOf(pods).map((podClass): WaitingClass => {
    const refusal = refusalOfPod(podClass.sample);
    if (refusal !== undefined) refused.set(podClass, refusal);
    return { podClass, pods: refusal === undefined ? [...podClass.pods] : [] };
  });
  const placements = fillExisting(workspace, classes);
  const ledger = LimitLedger.of(snapshot.pools, snapshot.nodes);
  const newNodes = orderNodes({ snapshot, classes, ledger, settings });
  for (const { podClass, pods: left } of classes)
    if (left.length > 0) refused.set(podClass, refusalOf(podClass.sample, { snapshot, ledger }));
  return { placements, newNodes, unplaced: unplacedOf(classes, refused) };
}

/** First where a place is reserved, then wherever there is room, nodes in use before others. */
function fillExisting(
  workspace: Workspace,
  classes: readonly WaitingClass[],
): readonly Placement[] {
  const placements: Placement[] = [];
  const admitting = new Map<string, readonly Slot[]>();
  for (const { podClass, pods } of classes) {
    const reserved = pods.filter((pod) => workspace.slotOf(pod.uid) !== undefined);
    for (const pod of reserved)
      placements.push({ pod, nodeName: workspace.slotOf(pod.uid)?.name ?? '' });
    removeAll(pods, reserved);
    const slots =
      admitting.get(podClass.labelKey) ??
      workspace.slots.filter((slot) => workspace.admits(podClass.sample, slot));
    admitting.set(podClass.labelKey, slots);
    for (const slot of slots) {
      if (pods.length === 0) break;
      for (const pod of pods.splice(0, workspace.room(podClass.sample, slot))) {
        workspace.place(pod, slot);
        placements.push({ pod, nodeName: slot.name });
      }
    }
  }
  return placements;
}

function removeAll(pods: Pod[], gone: readonly Pod[]): void {
  if (gone.length === 0) return;
  const set = new Set(gone);
  pods.splice(0, pods.length, ...pods.filter((pod) => !set.has(pod)));
}

function orderNodes(parts: {
  readonly snapshot: Snapshot;
  readonly classes: readonly WaitingClass[];
  readonly ledger: LimitLedger;
  readonly settings: SolveSettings;
}): readonly NewNode[] {
  const { snapshot, classes, ledger, settings } = parts;
  const newNodes: NewNode[] = [];
  const samples = classes.map(({ podClass }) => podClass.sample);
  const columns = columnsOf([...samples, ...snapshot.daemons].map((pod) => pod.requests));
  for (const pools of tiersOf(snapshot.pools)) {
    const waiting = classes.filter(({ pods }) => pods.length > 0);
    if (waiting.length === 0) break;
    const shapes = pools.flatMap((pool) => shapesOf(pool, snapshot.daemons, columns));
    newNodes.push(...orderFromTier({ shapes, classes: waiting, columns, ledger, ...settings }));
  }
  return newNodes;
}

/** Usable pools by weight, the heaviest first; those of one weight by name. */
function tiersOf(pools: readonly Pool[]): readonly (readonly Pool[])[] {
  const usable = pools
    .filter((pool) => pool.notReady === undefined && pool.isStatic !== true)
    .sort(byName);
  const weights = [...new Set(usable.map((pool) => pool.weight))].sort((a, b) => b - a);
  return weights.map((weight) => usable.filter((pool) => pool.weight === weight));
}

function unplacedOf(
  classes: readonly WaitingClass[],
  refused: ReadonlyMap<PodClass, Refusal>,
): readonly Unplaced[] {
  return classes.flatMap(({ podClass, pods }) => {
    const refusal = refused.get(podClass);
    if (refusal === undefined) return [];
    const left = pods.length > 0 ? pods : podClass.pods;
    return left.map((pod) => ({ pod, refusal }));
  });
}
