import { decodeResources } from '../../api/decode/resources.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { follow, runKeyed } from '../loops.ts';

type Loop = { readonly done: Promise<void> };

/**
 * Tells the cloud how much memory machines really have, as their Nodes report it. Every registered
 * Node tells it again after a start, so that nothing has to be stored.
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

async function learnFrom({ informers, ports }: Context, name: string): Promise<Requeue> {
  const node = informers.nodes.get(name);
  if (node === undefined || !isRegistered(node)) return onChange;
  const [claim] = informers.nodeClaims.by('provider-id', node.spec?.providerID ?? '');
  const instanceType = node.metadata.labels?.[labels.instanceType];
  const imageId = claim?.status?.imageID;
  const memoryBytes = decodeResources(node.status?.capacity, name).resources.memory;
  if (instanceType !== undefined && imageId !== undefined && memoryBytes !== undefined)
    ports.cloud.learn({ instanceType, imageId, memoryBytes });
  return onChange;
}

function isRegistered({ metadata }: NodeObject): boolean {
  return metadata.labels?.[labels.registered] === 'true';
}
