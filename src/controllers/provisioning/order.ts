import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { NewNode } from '../../core/scheduling/plan.ts';
import { isKubeError } from '../../ports/kube.ts';
import { nameSuffix } from '../../ports/random.ts';
import type { Context } from '../context.ts';
import { claimOf } from './claim-of.ts';
import type { Reporter } from './report.ts';

export interface Orders {
  readonly snapshot: Snapshot;
  readonly nodes: readonly NewNode[];
  readonly reporter: Reporter;
}

/** Enough to keep the server busy, few enough not to flood it. */
const atOnce = 10;

/**
 * Creates a claim per planned node and reserves it for its pods. A failure leaves the other
 * orders standing and is thrown at the end, so that the rest is planned again.
 */
export async function orderNodes(context: Context, orders: Orders): Promise<void> {
  let orderedUsdPerHour = 0;
  let failure: PromiseRejectedResult | undefined;
  for (let start = 0; start < orders.nodes.length; start += atOnce) {
    const group = orders.nodes.slice(start, start + atOnce);
    const results = await Promise.allSettled(group.map((node) => order(context, node)));
    for (const [i, result] of results.entries()) {
      const node = group[i];
      if (result.status === 'rejected' || result.value === undefined || node === undefined)
        continue;
      orders.reporter.ordered({
        claim: result.value,
        node,
        snapshot: orders.snapshot,
        orderedUsdPerHour,
      });
      orderedUsdPerHour += node.cheapest.priceUsdPerHour;
    }
    failure ??= results.find((result) => result.status === 'rejected');
  }
  if (failure !== undefined) throw failure.reason;
}

async function order(context: Context, node: NewNode): Promise<NodeClaim | undefined> {
  const { informers, ledger, meters, ports } = context;
  const pool = informers.nodePools.get(node.pool.name);
  // Deleted since the plan was made: its claims would be deleted with it.
  if (pool === undefined || pool.metadata.deletionTimestamp !== undefined) return undefined;
  const claim = await create(context, node, pool);
  informers.nodeClaims.apply(claim);
  const place = { kind: 'claim', name: claim.metadata.name } as const;
  for (const pod of node.pods) ledger.reserve(pod.uid, place, ports.clock.nowMs());
  meters.claimsCreated.add(1, {
    reason: 'provisioned',
    nodepool: node.pool.name,
    min_values_relaxed: 'false',
  });
  return claim;
}

/** When the answer is lost, the name tells whether the claim was made, so that none is made twice. */
async function create(context: Context, node: NewNode, pool: NodePool): Promise<NodeClaim> {
  const { kube, random } = context.ports;
  const name = `${pool.metadata.name}-${nameSuffix(random)}`;
  try {
    return await kube.create(nodeClaims, claimOf(node, pool, name));
  } catch (error) {
    if (isKubeError(error, 'already-exists')) return create(context, node, pool);
    if (!isKubeError(error, 'unreachable', 'server-error')) throw error;
    const made = await kube.get(nodeClaims, { name });
    if (made === undefined) throw error;
    return made;
  }
}
