import { parseTime } from '../../api/decode/duration.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { type NodeObject, nodes } from '../../api/kubernetes/core.ts';
import { nodeInitialized } from '../../core/explain/lifecycle.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus } from '../writes.ts';

/** Declares the node fit for pods. From here on it may be disrupted. */
export async function initialize(
  context: Context,
  claim: NodeClaim,
  node: NodeObject,
): Promise<Requeue> {
  const { ports, informers } = context;
  const { name } = node.metadata;
  if (node.metadata.labels?.[labels.initialized] !== 'true') {
    const body = { metadata: { labels: { [labels.initialized]: 'true' } } };
    informers.nodes.apply(await ports.kube.patch(nodes, { name }, { type: 'merge', body }));
  }
  await patchClaimStatus(context, claim, { set: [{ type: 'Initialized', status: 'True' }] });
  const createdAtMs = parseTime(claim.metadata.creationTimestamp) ?? 0;
  const afterMs = ports.clock.nowMs() - createdAtMs;
  const claimName = claim.metadata.name;
  ports.decisions.record(nodeInitialized({ claimName, nodeName: name, afterMs }));
  return onChange;
}
