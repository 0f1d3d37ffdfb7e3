import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { conditionOf } from '../../api/resource.ts';
import { taintKeys } from '../../core/requirements/well-known.ts';
import { nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus, patchLocked } from '../writes.ts';

/** Undoes what a move that never came to its end has left: the taint and the stated reason. */
export async function cleanLeftovers(context: Context): Promise<void> {
  const { informers, cluster } = context;
  for (const claim of informers.nodeClaims.list()) {
    if (claim.metadata.deletionTimestamp !== undefined) continue;
    if (cluster.isMarkedLeaving(claim.metadata.name)) continue;
    await untaint(context, claim);
    if (conditionOf(claim, 'DisruptionReason') === undefined) continue;
    await patchClaimStatus(context, claim, { clear: ['DisruptionReason'] });
  }
}

async function untaint({ ports, informers }: Context, claim: NodeClaim): Promise<void> {
  for (const node of nodesOf(informers, claim)) {
    const taints = node.spec?.taints ?? [];
    const others = taints.filter(({ key }) => key !== taintKeys.disrupted);
    if (others.length === taints.length || node.metadata.deletionTimestamp !== undefined) continue;
    await patchLocked(
      { kube: ports.kube, informer: informers.nodes, object: node },
      { spec: { taints: others } },
    );
  }
}
