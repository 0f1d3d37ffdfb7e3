import { nodeClaims } from '../../api/karpenter/node-claim.ts';
import { sleep } from '../../ports/clock.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';

const taggedAnnotations = {
  'karpenter.k8s.aws/tagged': 'true',
  'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
} as const;

const pauseMs = 1_000;

/**
 * Writes on a machine whose node and claim it is, once they are known, so that people find it in the
 * cloud. Tags that are there already stay as they are.
 */
export async function reconcileTags(
  context: Context,
  name: string,
  signal: AbortSignal,
): Promise<Requeue> {
  const { ports, settings, informers } = context;
  const claim = informers.nodeClaims.get(name);
  const providerId = claim?.status?.providerID;
  const nodeName = claim?.status?.nodeName;
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return onChange;
  if (providerId === undefined || nodeName === undefined) return onChange;
  const present = claim.metadata.annotations ?? {};
  if (Object.entries(taggedAnnotations).every(([key, value]) => present[key] === value)) {
    return onChange;
  }
  const instance = await ports.cloud.get(providerId);
  if (instance === undefined) return onChange;
  const missing = Object.entries({
    Name: nodeName,
    'karpenter.sh/nodeclaim': name,
    'eks:eks-cluster-name': settings.clusterName,
  }).filter(([key]) => instance.tags[key] === undefined);
  if (missing.length > 0) {
    await ports.cloud.tag(providerId, Object.fromEntries(missing));
    // Others tag in this account too, and none of this is urgent.
    await sleep(ports.clock, pauseMs, signal);
  }
  const body = { metadata: { annotations: taggedAnnotations } };
  informers.nodeClaims.apply(await ports.kube.patch(nodeClaims, { name }, { type: 'merge', body }));
  return onChange;
}
