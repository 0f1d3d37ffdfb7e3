import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { timeText } from '../../core/explain/words.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { claimOf, instanceIdOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { endClaim } from '../interruption/danger.ts';
import { setDeadline } from '../interruption/instance-status.ts';
import { type Ailment, ailmentOf, mayRepair } from './unhealthy.ts';

const blockedMs = 300_000;
/** Timers of the platform hold 24 days at most. */
const longestWaitMs = 24 * 60 * 60_000;

/**
 * Replaces a node that has been broken for longer than is bearable. Nothing holds it up then: what
 * runs there cannot be drained in good order.
 */
export async function reconcileHealth(context: Context, name: string): Promise<Requeue> {
  const { ports, informers } = context;
  const node = informers.nodes.get(name);
  const claim = node === undefined ? undefined : claimOf(informers, node);
  if (node === undefined || claim === undefined) return onChange;
  if (claim.metadata.deletionTimestamp !== undefined) return onChange;
  const ailment = ailmentOf(node, ports.cloud.repairPolicies);
  if (ailment === undefined) return onChange;
  const waitMs = ailment.dueAtMs - ports.clock.nowMs();
  if (waitMs > 0) return after(Math.min(waitMs, longestWaitMs));
  const peers = peersOf(context, claim);
  const unhealthy = peers.filter((peer) => ailmentOf(peer, ports.cloud.repairPolicies)).length;
  if (!mayRepair({ unhealthy, all: peers.length })) {
    tellBlocked(context, { claim, node }, `${unhealthy} of ${peers.length}`);
    return after(blockedMs);
  }
  await repair(context, claim, ailment);
  return onChange;
}

/** The nodes of the same pool; for a claim of no pool, all nodes of ours. */
function peersOf({ informers }: Context, claim: NodeClaim): readonly NodeObject[] {
  const pool = claim.metadata.labels?.[labels.nodePool];
  return informers.nodes.list().filter((node) => {
    const other = node.metadata.labels?.[labels.nodePool];
    return pool === undefined ? claimOf(informers, node) !== undefined : other === pool;
  });
}

async function repair(context: Context, claim: NodeClaim, { policy }: Ailment): Promise<void> {
  const { condition, status, toleranceMs } = policy;
  const text = `its condition ${condition} has been ${status} for ${timeText(toleranceMs)}`;
  await endClaim(context, {
    claim: await setDeadline(context, claim),
    instanceId: instanceIdOf(claim.status?.providerID) ?? '',
    event: 'NodeRepair',
    metric: 'unhealthy',
    text,
  });
}

function tellBlocked(
  { ports }: Context,
  { claim, node }: { readonly claim: NodeClaim; readonly node: NodeObject },
  share: string,
): void {
  const message = `Not replaced though it is unhealthy: so are ${share} nodes of its pool, more than a fifth.`;
  for (const about of [claim, node])
    ports.events.publish({ about, type: 'Warning', reason: 'NodeRepairBlocked', message });
}
