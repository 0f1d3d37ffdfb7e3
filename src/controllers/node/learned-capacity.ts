import { decodeResources } from '../../api/decode/resources.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';
import type { SeenMachine } from '../../ports/cloud-provider.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { follow, runKeyed } from '../loops.ts';

type Loop = { readonly done: Promise<void> };

/**
 * Tells the cloud how much memory machines really have, as their Nodes report it, and how much room
 * they leave to pods. Every registered Node tells it again after a start, so that nothing has to be
 * stored.
 */
export function startCapacityLearning(context: Context, signal: AbortSignal): Loop {
  const reconcile = async (name: string): Promise<Requeue> => {
    learnFrom(context, name);
    return onChange;
  };
  const loop = runKeyed(
    context,
    { name: 'providers.instancetype.capacity', reconcile, concurrency: 1 },
    signal,
  );
  follow(context.informers.nodes, signal, (node) => {
    if (isRegistered(node)) loop.enqueue(node.metadata.name);
  });
  return loop;
}

function learnFrom({ informers, ports }: Context, name: string): void {
  const node = informers.nodes.get(name);
  if (node === undefined || !isRegistered(node)) return;
  const [claim] = informers.nodeClaims.by('provider-id', node.spec?.providerID ?? '');
  const instanceType = node.metadata.labels?.[labels.instanceType];
  const imageId = claim?.status?.imageID;
  const memoryBytes = decodeResources(node.status?.capacity, name).resources.memory;
  if (claim === undefined || instanceType === undefined) return;
  if (imageId === undefined || memoryBytes === undefined) return;
  ports.cloud.learn({ instanceType, imageId, memoryBytes, room: roomOn(node, claim) });
}

/** Devices come later; these are there from the beginning. */
const reportedAtOnce = ['cpu', 'memory', 'ephemeral-storage', 'pods'];

function roomOn({ status, metadata: { name } }: NodeObject, claim: NodeClaim): SeenMachine['room'] {
  const classHash = claim.metadata.annotations?.[annotations.nodeClassHash];
  if (classHash === undefined) return undefined;
  const found = Object.entries(decodeResources(status?.allocatable, name).resources);
  const amounts = found.filter(([resource]) => reportedAtOnce.includes(resource));
  return { classHash, amounts: Object.fromEntries(amounts) };
}

function isRegistered({ metadata }: NodeObject): boolean {
  return metadata.labels?.[labels.registered] === 'true';
}
