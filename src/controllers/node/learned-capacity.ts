import { decodeResources } from '../../api/decode/resources.ts';
import { typesNamed } from '../../api/decode/types-by-name.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';
import type { SeenMachine } from '../../ports/cloud-provider.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { follow, runKeyed } from '../loops.ts';

type Loop = { readonly done: Promise<void> };

/**
 * Tells the cloud how much memory machines really have, as their Nodes report it, and where they
 * leave less room to pods than is expected of them. Every registered Node tells it again after a
 * start, so that nothing has to be stored.
 */
export function startCapacityLearning(context: Context, signal: AbortSignal): Loop {
  const reconcile = (name: string) => learnFrom(context, name);
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

/** The types of a class may not be known yet just after a start. */
const askAgainMs = 10_000;

async function learnFrom(context: Context, name: string): Promise<Requeue> {
  const { informers, ports, types } = context;
  const node = informers.nodes.get(name);
  if (node === undefined || !isRegistered(node)) return onChange;
  const [claim] = informers.nodeClaims.by('provider-id', node.spec?.providerID ?? '');
  const instanceType = node.metadata.labels?.[labels.instanceType];
  const imageId = claim?.status?.imageID;
  const memoryBytes = decodeResources(node.status?.capacity, name).resources.memory;
  if (claim === undefined || instanceType === undefined) return onChange;
  if (imageId === undefined || memoryBytes === undefined) return onChange;
  const tooLittle = tooLittleOn(context, node, claim);
  ports.cloud.learn({ instanceType, imageId, memoryBytes, tooLittle });
  return types.of(claim.spec.nodeClassRef.name).length === 0 ? after(askAgainMs) : onChange;
}

/** Devices come later; these are there from the beginning. */
const reportedAtOnce = ['cpu', 'memory', 'ephemeral-storage', 'pods'];

/** Where the node has less than is expected of such machines now; of a class that has changed since, nothing. */
function tooLittleOn(
  { informers, types }: Context,
  node: NodeObject,
  { spec, metadata }: NodeClaim,
): SeenMachine['tooLittle'] {
  const { name } = spec.nodeClassRef;
  const classHash = metadata.annotations?.[annotations.nodeClassHash];
  const now = informers.nodeClasses.get(name)?.metadata.annotations;
  if (classHash === undefined || now?.[annotations.nodeClassHash] !== classHash) return undefined;
  const [type] = typesNamed(types.of(name), node.metadata.labels?.[labels.instanceType]);
  const found = decodeResources(node.status?.allocatable, node.metadata.name).resources;
  const room: Record<string, number> = {};
  for (const resource of reportedAtOnce) {
    const amount = found[resource];
    if (amount !== undefined && amount < (type?.allocatable[resource] ?? 0))
      room[resource] = amount;
  }
  return Object.keys(room).length === 0 ? undefined : { classHash, room };
}

function isRegistered({ metadata }: NodeObject): boolean {
  return metadata.labels?.[labels.registered] === 'true';
}
