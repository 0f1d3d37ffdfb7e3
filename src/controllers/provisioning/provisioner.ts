import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Placement, Plan } from '../../core/scheduling/plan.ts';
import { solve } from '../../core/scheduling/solve.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Place } from '../cluster-state/ledger.ts';
import type { PlanBoard } from '../cluster-state/plan-board.ts';
import type { Context } from '../context.ts';
import { ledgerView } from './ledger-view.ts';
import { orderNodes } from './order.ts';
import type { Reporter } from './report.ts';

export interface ProvisionerParts {
  readonly context: Context;
  readonly board: PlanBoard;
  readonly reporter: Reporter;
  /** How long claims of an earlier life may hold up the first plan. */
  readonly isSettled: () => boolean;
}

/** Pods that stay without a place are planned again, since much may change unseen. */
const retryMs = 10_000;
const settleMs = 500;

/**
 * One round of provisioning: plan a place for every pod that waits, keep the places, order the
 * nodes that are missing. It can stop after any line: what was ordered is seen by the next round.
 */
export async function provision(parts: ProvisionerParts): Promise<Requeue> {
  const { context, board, reporter } = parts;
  const { cluster, ledger, types, ports } = context;
  if (!parts.isSettled()) return after(settleMs);
  await types.refresh();
  ledger.prune(ledgerView(context), ports.clock.nowMs());
  const snapshot: Snapshot = { ...cluster.snapshot(), atMs: ports.clock.nowMs() };
  const pods = cluster.waitingPods(snapshot);
  const plan = planFor(context, snapshot, pods);
  board.post(new Map(plan.unplaced.map(({ pod, refusal }) => [pod.uid, refusal])));
  reporter.refused(plan.unplaced);
  reporter.placed(keepPlaces(context, snapshot, plan));
  try {
    await orderNodes(context, { snapshot, nodes: plan.newNodes, reporter });
  } finally {
    cluster.announce();
  }
  return pods.length > 0 ? after(retryMs) : onChange;
}

const emptyPlan: Plan = { placements: [], newNodes: [], unplaced: [] };

function planFor(context: Context, snapshot: Snapshot, pods: readonly Pod[]): Plan {
  const { ports, meters, scarcePools } = context;
  const startedMs = ports.clock.nowMs();
  const pools = scarcePools.weighed(snapshot.pools, startedMs);
  const plan = pods.length === 0 ? emptyPlan : solve({ ...snapshot, pools }, pods);
  const controller = 'provisioner';
  meters.schedulingSeconds.observe((ports.clock.nowMs() - startedMs) / 1_000, { controller });
  meters.nodeCount.set(snapshot.nodes.length);
  meters.podsUnschedulable.set(plan.unplaced.length, { controller });
  meters.podsIgnored.set(
    plan.unplaced.filter(({ refusal }) => refusal.code === 'invalid-pod').length,
  );
  return plan;
}

/** Reserves every place that the plan found. Answers those that are news. */
function keepPlaces(
  { ledger, ports }: Context,
  snapshot: Snapshot,
  plan: Plan,
): readonly Placement[] {
  const places = new Map(snapshot.nodes.map((node) => [node.name, placeOf(node)]));
  for (const { pod } of plan.unplaced) ledger.release(pod.uid);
  return plan.placements.filter(({ pod, nodeName }) => {
    const place = places.get(nodeName);
    const before = ledger.placeOf(pod.uid);
    if (place === undefined) return false;
    ledger.reserve(pod.uid, place, ports.clock.nowMs());
    return before?.kind !== place.kind || before.name !== place.name;
  });
}

function placeOf(node: Snapshot['nodes'][number]): Place {
  return node.claimName === undefined
    ? { kind: 'node', name: node.name }
    : { kind: 'claim', name: node.claimName };
}
