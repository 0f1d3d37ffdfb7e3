import type { Context } from '../context.ts';
import { follow, followKeys, runKeyed } from '../loops.ts';
import { EvictionDesk } from './eviction.ts';
import { reconcileNodeEnd } from './termination.ts';

/** Drains and removes Nodes that were deleted. */
export function startNodeTermination(
  context: Context,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const { informers } = context;
  const desk = new EvictionDesk(context);
  const loop = runKeyed(
    context,
    {
      name: 'node.termination',
      reconcile: (name, inner) => reconcileNodeEnd(context, desk, name, inner),
      concurrency: 100,
      maxBackoffMs: 10_000,
    },
    signal,
  );
  const enqueueIfLeaving = (nodeName: string | undefined): void => {
    const node = informers.nodes.get(nodeName ?? '');
    if (node?.metadata.deletionTimestamp !== undefined) loop.enqueue(node.metadata.name);
  };
  followKeys(informers.nodes, signal, loop);
  follow(informers.nodeClaims, signal, ({ status }) => enqueueIfLeaving(status?.nodeName));
  follow(informers.volumeAttachments, signal, ({ spec }) => enqueueIfLeaving(spec.nodeName));
  follow(informers.budgets, signal, ({ metadata }) =>
    desk.nodesHeldIn(metadata.namespace ?? '').forEach(enqueueIfLeaving),
  );
  const stop = informers.pods.onChange(({ type, object }) => {
    if (type === 'deleted') desk.forget(object.metadata.uid ?? '');
    enqueueIfLeaving(object.spec.nodeName);
  });
  signal.addEventListener('abort', stop, { once: true });
  return loop;
}
