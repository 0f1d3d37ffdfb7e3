import { parseTime } from '../../api/decode/duration.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { conditionOf, isTrue, type KubeObject } from '../../api/resource.ts';
import { type HashStamp, poolDrift } from '../../core/disruption/drift.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus } from '../writes.ts';

const recheckMs = 300_000;

/** Says on the claim whether its machine is still what its pool and its node class ask for. */
export async function reconcileDrift(context: Context, name: string): Promise<Requeue> {
  const { informers } = context;
  const claim = informers.nodeClaims.get(name);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return onChange;
  const pool = informers.nodePools.get(claim.metadata.labels?.[labels.nodePool] ?? '');
  if (pool === undefined || !isTrue(claim, 'Launched')) return onChange;
  const reason = await driftOf(context, claim, pool);
  const known = conditionOf(claim, 'Drifted');
  if (reason === undefined && known !== undefined)
    await patchClaimStatus(context, claim, { clear: ['Drifted'] });
  if (reason !== undefined && (known?.reason !== reason || known.status !== 'True'))
    await patchClaimStatus(context, claim, { set: [{ type: 'Drifted', status: 'True', reason }] });
  return after(recheckMs);
}

async function driftOf(
  context: Context,
  claim: NodeClaim,
  pool: NodePool,
): Promise<string | undefined> {
  const { informers, types, cluster, ports } = context;
  const className = claim.spec.nodeClassRef.name;
  const requirements = cluster
    .snapshot()
    .pools.find(({ name }) => name === pool.metadata.name)?.requirements;
  const known = types.of(className);
  const ofPool =
    requirements === undefined
      ? undefined
      : poolDrift({
          labels: claim.metadata.labels ?? {},
          claimStamp: stampOf(claim),
          poolStamp: stampOf(pool),
          requirements,
          ageMs: ports.clock.nowMs() - (parseTime(claim.metadata.creationTimestamp) ?? Infinity),
          instanceTypes: known.length > 0 ? known : undefined,
        });
  if (ofPool !== undefined) return ofPool;
  const nodeClass = informers.nodeClasses.get(className);
  if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined)
    return undefined;
  return ports.cloud.drift(claim, nodeClass);
}

function stampOf({ metadata }: KubeObject): HashStamp {
  return {
    hash: metadata.annotations?.[annotations.nodePoolHash],
    version: metadata.annotations?.[annotations.nodePoolHashVersion],
  };
}
