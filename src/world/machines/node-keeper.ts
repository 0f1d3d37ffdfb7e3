import { type NodeObject, nodes } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
import { isKubeError } from '../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Kubelet } from './kubelet.ts';
import type { KubeletLink } from './kubelet-link.ts';
import { nodeConditions, nodeObject } from './node-object.ts';

const heartbeatMs = 300_000;

/** Registers the machine's Node, makes it ready in time, and then reports every five minutes. */
export async function keepNode(link: KubeletLink, instanceId: string): Promise<Requeue> {
  const kubelet = link.kubelet(instanceId);
  if (kubelet === undefined) return onChange;
  const nowMs = link.ports.clock.nowMs();
  if (nowMs < kubelet.registersAtMs) return after(kubelet.registersAtMs - nowMs);
  if (kubelet.nodeUid === undefined) {
    await register(link, kubelet);
    return after(Math.max(0, kubelet.readyAtMs - link.ports.clock.nowMs()));
  }
  if (nowMs < kubelet.readyAtMs) return after(kubelet.readyAtMs - nowMs);
  return (await report(link, kubelet)) === 'gone' ? onChange : after(heartbeatMs);
}

async function register(link: KubeletLink, kubelet: Kubelet): Promise<void> {
  const { kube, clock, log } = link.ports;
  const draft = nodeObject(kubelet.machine, kubelet.bootstrap, clock.nowMs());
  const node = await createOrFind(link, draft);
  kubelet.nodeUid = node.metadata.uid ?? '';
  // The create of a real API server keeps a Node's status; one that found its Node adds nothing.
  if (node.status?.capacity === undefined) {
    const { name } = node.metadata;
    const body = { status: draft.status };
    await kube.patch(nodes, { name }, { type: 'merge', subresource: 'status', body });
  }
  link.startLease(kubelet);
  log.info('node registered', { node: kubelet.nodeName, instance: kubelet.machine.instanceId });
}

async function createOrFind(
  link: KubeletLink,
  draft: ReturnType<typeof nodeObject>,
): Promise<NodeObject> {
  const { kube } = link.ports;
  try {
    return await kube.create(nodes, draft);
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
    // We have been here before and were restarted, or a former machine had the same address.
    const name = draft.metadata.name ?? '';
    const found = await kube.get(nodes, { name });
    if (found?.spec?.providerID === draft.spec?.providerID && found !== undefined) return found;
    if (found !== undefined) await kube.delete(nodes, { name }, { uid: found.metadata.uid });
    throw error;
  }
}

async function report(link: KubeletLink, kubelet: Kubelet): Promise<'reported' | 'gone'> {
  const { kube, clock, log } = link.ports;
  const name = kubelet.nodeName;
  const node = await kube.get(nodes, { name });
  // A kubelet whose Node was deleted does not come back by itself; neither does ours.
  if (node === undefined || node.metadata.uid !== kubelet.nodeUid) return 'gone';
  const former = node.status?.conditions ?? [];
  const conditions = nodeConditions('ready', clock.nowMs(), former);
  const body = { status: { conditions } };
  await kube.patch(nodes, { name }, { type: 'strategic', subresource: 'status', body });
  if (!kubelet.isReady) {
    kubelet.isReady = true;
    if (!isTrue(node, 'Ready')) log.info('node ready', { node: name });
    link.wakePods(kubelet);
  }
  return 'reported';
}
