import { isVirtual } from '../../core/cluster/buffer.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Placement, Plan } from '../../core/scheduling/plan.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Place } from '../cluster-state/ledger.ts';
import type { PlanBoard } from '../cluster-state/plan-board.ts';
import type { Context } from '../context.ts';
import { ledgerView } from './ledger-view.ts';
import { orderNodes } from './order.ts';
import type { Planner } from './planner.ts';
import type { Reporter } from './report.ts';
import { createStillWanted, stillHolding } from './still-wanted.ts';

export interface ProvisionerParts {
  readonly context: Context;
  readonly board: PlanBoard;
  readonly planner: Planner;
  readonly reporter: Reporter;
  /** How long claims of an earlier life may hold up the first plan. */
  readonly isSettled: () => boolean;
}

/** Pods that stay without a place are planned again, since much may change unseen. */
const retryMs = 10_000;
const settleMs = 500;
/** The world has moved on while we planned: the rest is planned again at once. */
const outdatedMs = 50;

/**
 * One round of provisioning: plan a place for every pod that waits, keep the places, order the
 * nodes that are missing. It can stop after any line: what was ordered is seen by the next round.
 * Planning takes its time and others act meanwhile, so whatever is acted on is looked at again.
 */
export async function provision(parts: ProvisionerParts): Promise<Requeue> {
  const { context, board, reporter } = parts;
  const { cluster, ledger, types, ports } = context;
  if (!parts.isSettled()) return after(settleMs);
  await types.refresh();
  ledger.prune(ledgerView(context), ports.clock.nowMs());
  const snapshot: Snapshot = { ...cluster.snapshot(), atMs: ports.clock.nowMs() };
  const pods = cluster.waitingPods(snapshot);
  const wanted = createStillWanted(context);
  const plan = stillHolding(await planFor(parts, snapshot, pods), wanted);
  context.bufferBook.settle(plan);
  const unplaced = plan.unplaced.filter(({ pod }) => !isVirtual(pod));
  board.post(new Map(unplaced.map(({ pod, refusal }) => [pod.uid, refusal])));
  reporter.refused(unplaced);
  reporter.placed(keepPlaces(context, snapshot, plan));
  try {
    const orders = { snapshot, nodes: plan.newNodes, wanted, reporter };
    if (await orderNodes(context, orders)) return after(outdatedMs);
  } finally {
    cluster.announce();
  }
  return pods.length > 0 ? after(retryMs) : onChange;
}

async function planFor(
  { context, planner }: ProvisionerParts,
  snapshot: Snapshot,
  pods: readonly Pod[],
): Promise<Plan> {
  const { cluster, ports, meters, scarcePools } = context;
  const startedMs = ports.clock.nowMs();
  const pools = scarcePools.weighed(snapshot.pools, startedMs);
  const solvesBefore = planner.solves;
  const question = { snapshot: { ...snapshot, pools }, pods, supply: cluster.supply() };
  const plan = await planner.plan(question);
  const controller = 'provisioner';
  if (planner.solves > solvesBefore)
    meters.schedulingSeconds.observe((ports.clock.nowMs() - startedMs) / 1_000, { controller });
  meters.nodeCount.set(snapshot.nodes.length);
  const unplaced = plan.unplaced.filter(({ pod }) => !isVirtual(pod));
  meters.podsUnschedulable.set(unplaced.length, { controller });
  meters.podsIgnored.set(unplaced.filter(({ refusal }) => refusal.code === 'invalid-pod').length);
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
    if (isVirtual(pod)) return false;
    return before?.kind !== place.kind || before.name !== place.name;
  });
}

function placeOf(node: Snapshot['nodes'][number]): Place {
  return node.claimName === undefined
    ? { kind: 'node', name: node.name }
    : { kind: 'claim', name: node.claimName };
}
