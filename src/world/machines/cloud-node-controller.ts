import { nodes } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { runController } from '../../runtime/controller.ts';
import { createInformer } from '../../runtime/informer.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { MachineRoom } from './machine.ts';

interface CloudNodePorts {
  readonly kube: KubeClient;
  readonly machines: MachineRoom;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const lookEveryMs = 5_000;

/**
 * The part of the AWS cloud controller that removes Nodes: one that is not ready, and whose
 * instance no longer runs, is deleted. Its pods go with it by pod garbage collection. Keys are
 * node names.
 */
export async function runCloudNodeController(
  ports: CloudNodePorts,
  signal: AbortSignal,
): Promise<void> {
  const { kube, machines, clock, random, log } = ports;
  const informer = createInformer({ client: kube, resource: nodes, clock, random, log });

  const reconcile = async (name: string): Promise<Requeue> => {
    const node = informer.get(name);
    if (node === undefined || isTrue(node, 'Ready')) return onChange;
    const instanceId = instanceOf(node.spec?.providerID);
    if (instanceId === undefined || node.metadata.deletionTimestamp !== undefined) return onChange;
    const isRunning = machines.running().some((machine) => machine.instanceId === instanceId);
    // It may be starting, or its kubelet may be stuck: only the end of the instance ends the node.
    if (isRunning) return after(lookEveryMs);
    await kube.delete(nodes, { name }, { uid: node.metadata.uid });
    log.info('deleted node of a terminated instance', { node: name, instance: instanceId });
    return onChange;
  };
  const loop = runController({ name: 'cloud-node', clock, log, reconcile }, signal);
  informer.onChange(({ type, object }) => {
    if (type !== 'deleted') loop.enqueue(object.metadata.name);
  });
  informer.start(signal);
  await loop.done;
}

/** `i-0abc` of `aws:///us-east-1a/i-0abc`. */
function instanceOf(providerId: string | undefined): string | undefined {
  return /^aws:\/\/\/[^/]+\/(i-[0-9a-z]+)$/.exec(providerId ?? '')?.[1];
}
