import { nodeClaims } from '../../api/karpenter/node-claim.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';

const taggedAnnotations = {
  'karpenter.k8s.aws/tagged': 'true',
  'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
} as const;

/** Writes the node's name on its machine once it is known, so that people find it in the cloud. */
export async function reconcileTags(context: Context, name: string): Promise<Requeue> {
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
  await ports.cloud.tag(providerId, {
    Name: nodeName,
    'karpenter.sh/nodeclaim': name,
    'eks:eks-cluster-name': settings.clusterName,
  });
  const body = { metadata: { annotations: taggedAnnotations } };
  informers.nodeClaims.apply(await ports.kube.patch(nodeClaims, { name }, { type: 'merge', body }));
  return onChange;
}
