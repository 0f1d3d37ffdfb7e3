import { parseDuration, parseTime } from '../../api/decode/duration.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { conditionOf, isTrue } from '../../api/resource.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus } from '../writes.ts';

/** Says on the claim whether its node has been quiet for as long as its pool asks. */
export async function reconcileConsolidatable(context: Context, name: string): Promise<Requeue> {
  const { informers, ports } = context;
  const claim = informers.nodeClaims.get(name);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return onChange;
  const pool = informers.nodePools.get(claim.metadata.labels?.[labels.nodePool] ?? '');
  const waitMs = quietSinceMs(claim) + windowMs(pool) - ports.clock.nowMs();
  const isQuiet = waitMs <= 0;
  if (isQuiet && !isTrue(claim, 'Consolidatable')) {
    await patchClaimStatus(context, claim, { set: [{ type: 'Consolidatable', status: 'True' }] });
  }
  if (!isQuiet && conditionOf(claim, 'Consolidatable') !== undefined) {
    await patchClaimStatus(context, claim, { clear: ['Consolidatable'] });
  }
  return isQuiet || waitMs === Infinity ? onChange : after(waitMs);
}

function quietSinceMs(claim: NodeClaim): number {
  if (!isTrue(claim, 'Initialized')) return Infinity;
  return (
    parseTime(claim.status?.lastPodEventTime) ??
    parseTime(conditionOf(claim, 'Initialized')?.lastTransitionTime) ??
    Infinity
  );
}

function windowMs(pool: NodePool | undefined): number {
  if (pool === undefined || pool.spec.replicas !== undefined) return Infinity;
  return parseDuration(pool.spec.disruption?.consolidateAfter ?? '0s') ?? Infinity;
}
