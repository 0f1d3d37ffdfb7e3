import { sameConditions } from '../../api/conditions.ts';
import { ec2NodeClasses } from '../../api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { conditionOf } from '../../api/resource.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import { nodePoolRefused } from '../../core/explain/provisioning.ts';
import { formatAmount } from '../../core/quantity/quantity.ts';
import { add, noResources, type Resources } from '../../core/quantity/resources.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchLocked } from '../writes.ts';
import { stampNodePool } from './hash.ts';
import { conditionsOf } from './pool-conditions.ts';
import type { PoolSeries } from './pool-series.ts';
import type { RegistrationHealth } from './registration-health.ts';

/** Keeps a NodePool's status true: whether it can be ordered from, and what its nodes add up to. */
export async function reconcileNodePool(
  context: Context,
  name: string,
  memory: { readonly health: RegistrationHealth; readonly series: PoolSeries },
): Promise<Requeue> {
  const { health, series } = memory;
  const { ports, informers, cluster } = context;
  const found = informers.nodePools.get(name);
  if (found === undefined) return series.end(name);
  if (found.metadata.deletionTimestamp !== undefined) return onChange;
  const pool = await stampNodePool(context, found);
  const nodeClass = await classOf(context, pool);
  const nowMs = ports.clock.nowMs();
  const conditions = conditionsOf(pool, { nodeClass, health, nowMs });
  const usage = usageOf(cluster.snapshot(), name);
  series.show(name, { ...nothing, ...usage });
  const status = {
    resources: resourceList({ ...nothing, ...usage }),
    nodes: usage.nodes ?? 0,
    ...(nodeClass === undefined
      ? {}
      : { nodeClassObservedGeneration: nodeClass.metadata.generation ?? 0 }),
  };
  const isSame =
    sameConditions(pool.status?.conditions ?? [], conditions) &&
    pool.status?.nodes === status.nodes &&
    isObserved(pool, status.nodeClassObservedGeneration) &&
    isSameList(pool.status.resources ?? {}, status.resources);
  if (isSame) return onChange;
  // A merge patch removes only what is named as null.
  const gone = Object.keys(pool.status?.resources ?? {}).map((resource) => [resource, null]);
  const resources = { ...Object.fromEntries(gone), ...status.resources };
  const written = await patchLocked(
    { kube: ports.kube, informer: informers.nodePools, object: pool },
    { status: { ...status, resources, conditions } },
    'status',
  );
  tell(context, pool, written);
  return onChange;
}

function isObserved(pool: NodePool, generation: number | undefined): boolean {
  return generation === undefined || pool.status?.nodeClassObservedGeneration === generation;
}

/** Shown as zero where there are no nodes. */
const nothing: Resources = { cpu: 0, memory: 0, pods: 0, 'ephemeral-storage': 0, nodes: 0 };

/** What the pool's machines offer. Leaving ones no longer count, and neither do mere orders. */
function usageOf(snapshot: Snapshot, poolName: string): Resources {
  return snapshot.nodes
    .filter((node) => node.poolName === poolName && !node.isLeaving && node.stage !== 'ordered')
    .reduce((sum: Resources, node) => add(sum, { ...node.capacity, nodes: 1 }), noResources);
}

type NodeClass = ReturnType<Context['informers']['nodeClasses']['get']>;

/** Our copies of pools and classes come by separate watches; the server is asked before we say no. */
async function classOf({ ports, informers }: Context, pool: NodePool): Promise<NodeClass> {
  const { name } = pool.spec.template.spec.nodeClassRef;
  return informers.nodeClasses.get(name) ?? ports.kube.get(ec2NodeClasses, { name });
}

function tell({ ports }: Context, before: NodePool, after: NodePool): void {
  const [was, is] = [conditionOf(before, 'Ready'), conditionOf(after, 'Ready')];
  if (is?.status !== 'False' || (was?.status === 'False' && was.message === is.message)) return;
  const faults = (after.status?.conditions ?? []).filter(
    ({ type, status }) => status === 'False' && type !== 'Ready',
  );
  // A class that is still being resolved is no fault; it is told when it turns out to be one.
  if (faults.every(({ reason }) => reason === 'NodeClassReadinessUnknown')) return;
  const reason = faults.map(({ message = '' }) => message).join('; ');
  const decision = nodePoolRefused({ name: after.metadata.name, reason });
  const event = { type: 'Warning', reason: faults[0]?.reason ?? 'NotReady' } as const;
  ports.events.publish({ about: after, ...event, message: decision.sentence });
  ports.decisions.record(decision);
}

function resourceList(resources: Resources): Readonly<Record<string, string>> {
  const amounts = Object.entries(resources).map(
    ([name, amount]) => [name, formatAmount(name, amount)] as const,
  );
  return Object.fromEntries(amounts);
}

function isSameList(
  a: Readonly<Record<string, string | number>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => String(a[name] ?? '') === (b[name] ?? ''));
}
