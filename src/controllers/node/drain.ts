import { parseTime } from '../../api/decode/duration.ts';
import { conditionOf } from '../../api/resource.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import { type DrainStep, drainStep } from '../../core/disruption/drain.ts';
import { nodeDraining } from '../../core/explain/disruption.ts';
import { count } from '../../core/explain/words.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus } from '../writes.ts';
import type { EvictionDesk } from './eviction.ts';
import type { LeavingNode } from './termination.ts';

/** A pod may have been bound just before the taint was seen; it must have time to show up. */
const shortestDrainMs = 5_000;
/** Pods end by themselves and tell us; this is only for those that overstay. */
const lookAgainMs = 10_000;

/** Moves the pods off, one group at a time. Undefined once the node is drained. */
export async function drain(
  context: Context,
  desk: EvictionDesk,
  leaving: LeavingNode,
): Promise<Requeue | undefined> {
  const { ports, informers, cluster } = context;
  const { node, deadlineMs } = leaving;
  const nowMs = ports.clock.nowMs();
  const pods = informers.pods.by('node', node.metadata.name).map(cluster.podOf);
  const step = drainStep({ pods, nowMs, deadlineMs });
  const startedAtMs = await begin(context, leaving, step.waitFor);
  if (step.waitFor.length > 0) {
    const retryInMs = await desk.work(leaving, step);
    tellWaiting(context, leaving, step);
    return after(Math.min(retryInMs ?? lookAgainMs, untilForced(step, leaving, nowMs)));
  }
  const restMs = startedAtMs + shortestDrainMs - nowMs;
  if (restMs > 0) return after(restMs);
  await finish(context, leaving);
  return undefined;
}

/** The moment at which the drain began, which the claim remembers over restarts. */
async function begin(
  context: Context,
  { node, claim }: LeavingNode,
  pods: readonly Pod[],
): Promise<number> {
  // Without a claim nothing remembers, and the taint has been there for longer than we know.
  if (claim === undefined) return -Infinity;
  const current = context.informers.nodeClaims.get(claim.metadata.name) ?? claim;
  const before = conditionOf(current, 'Drained');
  if (before !== undefined) return parseTime(before.lastTransitionTime) ?? -Infinity;
  await patchClaimStatus(context, current, {
    set: [{ type: 'Drained', status: 'Unknown', reason: 'Draining' }],
  });
  context.ports.decisions.record(nodeDraining({ nodeName: node.metadata.name, pods }));
  return context.ports.clock.nowMs();
}

async function finish(context: Context, { node, claim }: LeavingNode): Promise<void> {
  const { informers, meters } = context;
  const current = claim === undefined ? undefined : informers.nodeClaims.get(claim.metadata.name);
  if (current === undefined || conditionOf(current, 'Drained')?.status === 'True') return;
  await patchClaimStatus(context, current, { set: [{ type: 'Drained', status: 'True' }] });
  meters.nodesDrained.add(1, { nodepool: node.metadata.labels?.[labels.nodePool] ?? '' });
}

function tellWaiting({ ports }: Context, { node }: LeavingNode, step: DrainStep): void {
  if (step.protectedPods.length === 0) return;
  const names = step.protectedPods.map((pod) => `${pod.namespace}/${pod.name}`);
  ports.events.publish({
    about: node,
    type: 'Warning',
    reason: 'FailedDraining',
    message: `Waiting for ${count(names.length, 'pod')} annotated do-not-disrupt: ${names.slice(0, 5).join(', ')}`,
  });
}

/** How long until the deadline turns the next request into an order. */
function untilForced(step: DrainStep, { deadlineMs }: LeavingNode, nowMs: number): number {
  if (deadlineMs === undefined) return Infinity;
  const times = step.waitFor
    .filter((pod) => pod.gracePeriodMs !== undefined && !pod.isTerminating)
    .map((pod) => deadlineMs - (pod.gracePeriodMs ?? 0) - nowMs + 1)
    .filter((ms) => ms > 0);
  return Math.min(Infinity, ...times);
}
