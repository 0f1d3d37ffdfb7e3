import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { NewNode } from '../../core/scheduling/plan.ts';
import { isKubeError } from '../../ports/kube.ts';
import { nameSuffix } from '../../ports/random.ts';
import type { Context } from '../context.ts';
import { claimOf, hasLessVariety } from './claim-of.ts';
import type { Reporter } from './report.ts';
import type { StillWanted } from './still-wanted.ts';

export interface Orders {
  readonly snapshot: Snapshot;
  readonly nodes: readonly NewNode[];
  readonly wanted: StillWanted;
  readonly reporter: Reporter;
}

/**
 * As many writes as an API server takes at once by default. What is bought goes through many
 * writes more, which would come between the later orders and the server if these came in a trickle.
 */
const atOnce = 200;

/**
 * Creates a claim per planned node and reserves it for its pods, several at a time. An order
 * that is no longer wanted when its turn comes is left out; answers whether there was one. A
 * failure leaves the other orders standing and is thrown at the end, so that the rest is planned
 * again.
 */
export async function orderNodes(context: Context, orders: Orders): Promise<boolean> {
  const waiting = orders.nodes.values();
  const failures: unknown[] = [];
  let orderedUsdPerHour = 0;
  let isOutdated = false;

  async function work(): Promise<void> {
    for (const node of waiting) {
      try {
        const claim = orders.wanted.order(node) ? await order(context, node) : undefined;
        if (claim === undefined) {
          isOutdated = true;
          continue;
        }
        const { snapshot } = orders;
        orders.reporter.ordered({ claim, node, snapshot, orderedUsdPerHour });
        orderedUsdPerHour += node.cheapest.priceUsdPerHour;
      } catch (error) {
        failures.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
  return isOutdated;
}

async function order(context: Context, node: NewNode): Promise<NodeClaim | undefined> {
  const { informers, ledger, meters, ports } = context;
  const pool = informers.nodePools.get(node.pool.name);
  if (pool === undefined) return undefined;
  const claim = await create(context, node, pool);
  informers.nodeClaims.apply(claim);
  const place = { kind: 'claim', name: claim.metadata.name } as const;
  for (const pod of node.pods) ledger.reserve(pod.uid, place, ports.clock.nowMs());
  meters.claimsCreated.add(1, {
    reason: 'provisioned',
    nodepool: node.pool.name,
    min_values_relaxed: String(hasLessVariety(node)),
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
