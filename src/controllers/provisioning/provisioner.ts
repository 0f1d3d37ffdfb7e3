import { isVirtual } from '../../core/cluster/buffer.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Placement, Plan, Unplaced } from '../../core/scheduling/plan.ts';
import { inSlices } from '../../ports/slices.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { decodeOnce } from '../cluster-state/decode-once.ts';
import type { Place } from '../cluster-state/ledger.ts';
import type { PlanBoard } from '../cluster-state/plan-board.ts';
import type { Context } from '../context.ts';
import { ledgerView } from './ledger-view.ts';
import { orderNodes } from './order.ts';
import { type Planner, readReasons } from './planner.ts';
import type { Question } from './refusal-memory.ts';
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
/** Pods that are dealt with in one step. */
const stepLength = 64;
/** The world has moved on while we planned: the rest is planned again at once. */
const outdatedMs = 50;

/**
 * One round of provisioning: plan a place for every pod that waits, keep the places, order the
 * nodes that are missing. It can stop after any line: what was ordered is seen by the next round.
 * Planning takes its time and others act meanwhile, so whatever is acted on is looked at again.
 */
export async function provision(parts: ProvisionerParts): Promise<Requeue> {
  const { context, reporter } = parts;
  const { cluster, ledger, types, ports } = context;
  if (!parts.isSettled()) return after(settleMs);
  await types.refresh();
  await inSlices(cluster.catchingUp(), ports.clock);
  await inSlices(ledger.pruning(ledgerView(context), ports.clock.nowMs()), ports.clock);
  const snapshot: Snapshot = { ...cluster.snapshot(), atMs: ports.clock.nowMs() };
  // Both of this very moment: what changes while pods are gathered has not been planned with.
  const supply = cluster.supply();
  const wanted = createStillWanted(context);
  const pods = await inSlices(cluster.waitingPods(snapshot), ports.clock);
  const planned = await planFor(parts, { snapshot, pods, supply });
  const plan = await inSlices(stillHolding(planned, wanted), ports.clock);
  const isOutdated = plan.placements.length < planned.placements.length;
  // Who was refused for the sake of a pod that has gone shall not wait for another change.
  if (isOutdated) parts.planner.forget();
  context.bufferBook.settle(plan);
  const placed = await inSlices(keepPlaces(context, snapshot, plan), ports.clock);
  try {
    const orders = { snapshot, nodes: plan.newNodes, wanted, reporter };
    // Orders are on their way before anybody asks for reasons, and neither waits for the other.
    const ordering = orderNodes(context, orders);
    const telling = inSlices(tell(parts, plan, placed), ports.clock);
    await Promise.allSettled([ordering, telling]);
    await telling;
    if ((await ordering) || isOutdated) return after(outdatedMs);
  } finally {
    cluster.announce();
  }
  return pods.length > 0 ? after(retryMs) : onChange;
}

async function planFor({ context, planner }: ProvisionerParts, question: Question): Promise<Plan> {
  const { ports, meters, scarcePools } = context;
  const { snapshot } = question;
  const startedMs = ports.clock.nowMs();
  const pools = scarcePools.weighed(snapshot.pools, startedMs);
  const solvesBefore = planner.solves;
  const plan = await planner.plan({ ...question, snapshot: { ...snapshot, pools } });
  const controller = 'provisioner';
  if (planner.solves > solvesBefore)
    meters.schedulingSeconds.observe((ports.clock.nowMs() - startedMs) / 1_000, { controller });
  meters.nodeCount.set(snapshot.nodes.length);
  return plan;
}

/** Says who stays without a place, and why, and who has one. What was said before costs nothing. */
function* tell(
  { board, reporter, context: { meters } }: ProvisionerParts,
  plan: Plan,
  placed: readonly Placement[],
): Generator<void, void> {
  const unplaced = realPods(plan.unplaced);
  if (!board.shows(unplaced)) {
    yield* readReasons(plan);
    board.post(unplaced);
    meters.podsUnschedulable.set(unplaced.length, { controller: 'provisioner' });
    meters.podsIgnored.set(unplaced.filter(({ refusal }) => refusal.code === 'invalid-pod').length);
  }
  yield* reporter.telling({ unplaced, placed });
}

/** The same list for the same list. */
const realPods = decodeOnce((unplaced: readonly Unplaced[]): readonly Unplaced[] =>
  unplaced.filter(({ pod }) => !isVirtual(pod)),
);

/** Reserves every place that the plan found. Answers those that are news. */
function* keepPlaces(
  { ledger, ports }: Context,
  snapshot: Snapshot,
  plan: Plan,
): Generator<void, readonly Placement[]> {
  const places = new Map(snapshot.nodes.map((node) => [node.name, placeOf(node)]));
  const news: Placement[] = [];
  for (const [index, { pod }] of plan.unplaced.entries()) {
    if (index % stepLength === stepLength - 1) yield;
    ledger.release(pod.uid);
  }
  for (const [index, placement] of plan.placements.entries()) {
    if (index % stepLength === stepLength - 1) yield;
    const { pod, nodeName } = placement;
    const place = places.get(nodeName);
    const before = ledger.placeOf(pod.uid);
    if (place === undefined) continue;
    ledger.reserve(pod.uid, place, ports.clock.nowMs());
    const isSame = before?.kind === place.kind && before.name === place.name;
    if (!isSame && !isVirtual(pod)) news.push(placement);
  }
  return news;
}

function placeOf(node: Snapshot['nodes'][number]): Place {
  return node.claimName === undefined
    ? { kind: 'node', name: node.name }
    : { kind: 'claim', name: node.claimName };
}
