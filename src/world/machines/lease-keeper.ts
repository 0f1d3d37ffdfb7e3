import { type LeaseObject, leases, nodes } from '../../api/kubernetes/core.ts';
import { microTimestamp } from '../../api/timestamp.ts';
import { isKubeError } from '../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Kubelet } from './kubelet.ts';
import type { KubeletLink } from './kubelet-link.ts';

const namespace = 'kube-node-lease';
const renewEveryMs = 10_000;
const durationSeconds = 40;

/** Renews the node's lease every ten seconds for as long as the machine is on and has its Node. */
export async function renewLease(link: KubeletLink, instanceId: string): Promise<Requeue> {
  const kubelet = link.kubelet(instanceId);
  if (kubelet?.nodeUid === undefined) return onChange;
  const { kube, clock } = link.ports;
  const body = { spec: { renewTime: microTimestamp(clock.nowMs()) } };
  try {
    await kube.patch(leases, { name: kubelet.nodeName, namespace }, { type: 'merge', body });
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    if ((await create(link, kubelet)) === 'no-node') return onChange;
  }
  return after(renewEveryMs);
}

async function create(link: KubeletLink, kubelet: Kubelet): Promise<'created' | 'no-node'> {
  const { kube, clock } = link.ports;
  const name = kubelet.nodeName;
  const node = await kube.get(nodes, { name });
  if (node === undefined || node.metadata.uid !== kubelet.nodeUid) return 'no-node';
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid: kubelet.nodeUid ?? '' }];
  const spec: NonNullable<LeaseObject['spec']> = {
    holderIdentity: name,
    leaseDurationSeconds: durationSeconds,
    renewTime: microTimestamp(clock.nowMs()),
  };
  await kube.create(leases, { metadata: { name, namespace, ownerReferences }, spec });
  return 'created';
}
