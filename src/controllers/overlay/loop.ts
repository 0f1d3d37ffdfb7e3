import { sameConditions, setCondition, withReady } from '../../api/conditions.ts';
import type { NodeOverlay } from '../../api/karpenter/node-overlay.ts';
import type { Condition } from '../../api/resource.ts';
import type { Informer } from '../../runtime/informer.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { followKeys, runKeyed } from '../loops.ts';
import { patchLocked } from '../writes.ts';
import type { OverlayFault } from './overlay-book.ts';

/** Tells every NodeOverlay whether it counts. */
export function startOverlays(
  context: Context,
  overlays: Informer<NodeOverlay>,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const { informers } = context;
  const reconcile = (name: string) => reconcileOverlay(context, overlays, name);
  const loop = runKeyed(context, { name: 'nodeoverlay', reconcile }, signal);
  followKeys(overlays, signal, loop);
  const all = (): void => {
    for (const { metadata } of overlays.list()) loop.enqueue(metadata.name);
  };
  // Whether two exclude each other depends on the pools, and on the other one.
  const stops = [
    overlays.onChange(all),
    informers.nodePools.onChange(all),
    informers.nodeClasses.onChange(all),
  ];
  for (const stop of stops) signal.addEventListener('abort', stop, { once: true });
  return loop;
}

async function reconcileOverlay(
  context: Context,
  overlays: Informer<NodeOverlay>,
  name: string,
): Promise<Requeue> {
  const { ports, cluster, overlayBook } = context;
  const object = overlays.get(name);
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return onChange;
  // The snapshot brings the book up to date.
  cluster.snapshot();
  const fault = overlayBook.faultOf(name);
  const conditions = conditionsOf(object, fault, ports.clock.nowMs());
  if (sameConditions(object.status?.conditions ?? [], conditions)) return onChange;
  await patchLocked(
    { kube: ports.kube, informer: overlays, object },
    { status: { conditions } },
    'status',
  );
  if (fault !== undefined) ports.events.publish({ about: object, type: 'Warning', ...fault });
  return onChange;
}

function conditionsOf(
  object: NodeOverlay,
  fault: OverlayFault | undefined,
  nowMs: number,
): readonly Condition[] {
  const { generation = 0, creationTimestamp: createdAt } = object.metadata;
  const moment = { nowMs, generation, createdAt };
  const type = 'ValidationSucceeded';
  const statement =
    fault === undefined
      ? { type, status: 'True' as const }
      : { type, status: 'False' as const, ...fault };
  const set = setCondition(object.status?.conditions ?? [], statement, moment);
  return withReady(set, [type], moment);
}
