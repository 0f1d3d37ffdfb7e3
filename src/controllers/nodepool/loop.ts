import { nodePools } from '../../api/karpenter/node-pool.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { Context } from '../context.ts';
import { follow, followKeys, runKeyed } from '../loops.ts';
import { reconcileNodePool } from './node-pool.ts';
import { PoolSeries } from './pool-series.ts';
import { outcomeOf, RegistrationHealth } from './registration-health.ts';

/** Nodes come in swarms; a pool is counted once for all of them. */
const gatherMs = 1_000;

/** Keeps the status of NodePools. */
export function startNodePools(
  context: Context,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const { informers } = context;
  const health = new RegistrationHealth();
  const series = new PoolSeries(context);
  const reconcile = (key: string) => reconcileNodePool(context, key, { health, series });
  const loop = runKeyed(context, { name: 'nodepool', reconcile }, signal);
  followKeys(informers.nodePools, signal, loop);
  follow(informers.nodeClasses, signal, ({ metadata }) => {
    for (const pool of informers.nodePools.by('node-class', metadata.name)) {
      loop.enqueue(pool.metadata.name);
    }
  });
  const count = ({ metadata }: { readonly metadata: { readonly labels?: Labels } }): void => {
    const poolName = metadata.labels?.[labels.nodePool];
    if (poolName !== undefined) loop.enqueueAfter(poolName, gatherMs);
  };
  const stops = [
    // Before the pool is looked at again because of the same change.
    informers.nodeClaims.onChange(({ object, previous }) => {
      const outcome = outcomeOf(object, previous);
      const owner = object.metadata.ownerReferences?.find(({ kind }) => kind === nodePools.kind);
      if (outcome === undefined || owner === undefined) return;
      const isThere = informers.nodePools.get(owner.name)?.metadata.uid === owner.uid;
      if (isThere) health.note(owner.uid, outcome);
    }),
    informers.nodePools.onChange(({ type, object }) => {
      if (type === 'deleted') health.forget(object.metadata.uid ?? '');
    }),
  ];
  for (const stop of stops) signal.addEventListener('abort', stop, { once: true });
  follow(informers.nodeClaims, signal, count);
  follow(informers.nodes, signal, count);
  return loop;
}

type Labels = Readonly<Record<string, string>>;
