import type { PodObject } from '../../api/kubernetes/core.ts';
import { type ReplicaSetObject, replicaSets } from '../../api/kubernetes/workload.ts';
import { keyOf } from '../../api/resource.ts';
import { selects } from '../../core/cluster/label-selector.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { controllerOf } from './controller-reference.ts';
import { adopt, createPods, deletePods, type Keeper, release } from './pod-care.ts';
import { inDeletionOrder } from './pod-deletion-order.ts';
import { type PodIndex, podIndex, podSettleMs } from './pod-index.ts';
import { availableAtMs, isActive, isAvailable, isReady } from './pod-state.ts';
import type { Stage } from './stage.ts';
import { writeStatus } from './status-writer.ts';

/** How many pods one pass creates or deletes at most; the rest follows in the next. */
const burst = 500;

/** Keeps as many pods of each ReplicaSet as it asks for. */
export function runReplicaSets(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const sets = stage.informer(replicaSets);
  sets.addIndex('namespace', (set) => [set.metadata.namespace ?? '']);
  sets.addIndex('owner', (set) => [controllerOf(set)?.uid ?? '']);
  const loop = stage.loop('replicaset', (key) => reconcile(stage, index, key));
  sets.onChange(({ object }) => loop.enqueue(keyOf(object)));
  index.informer.onChange(({ object, previous }) => {
    for (const pod of previous === undefined ? [object] : [object, previous]) {
      const owner = controllerOf(pod);
      if (owner?.kind === 'ReplicaSet')
        loop.enqueueAfter(`${pod.metadata.namespace}/${owner.name}`, podSettleMs);
      if (owner !== undefined) continue;
      for (const set of sets.by('namespace', pod.metadata.namespace ?? '')) {
        if (selects(set.spec.selector, pod.metadata.labels))
          loop.enqueueAfter(keyOf(set), podSettleMs);
      }
    }
  });
  return loop.done;
}

async function reconcile(stage: Stage, index: PodIndex, key: string): Promise<Requeue> {
  const set = stage.informer(replicaSets).get(key);
  if (set === undefined) return onChange;
  const keeper: Keeper = {
    resource: replicaSets,
    owner: set,
    component: 'replicaset-controller',
  };
  const active = (await claimedPods(stage, index, keeper)).filter(isActive);
  const left =
    set.metadata.deletionTimestamp === undefined
      ? await adjust(stage, index, { keeper, set, active })
      : 'settled';
  await writeStatus(stage, { resource: replicaSets, object: set }, statusOf(stage, index, set));
  if (left === 'more') return after(0);
  return untilAvailable(stage, active, set.spec.minReadySeconds ?? 0);
}

/** Adopts what matches and nobody manages, lets go of what no longer matches. */
async function claimedPods(
  stage: Stage,
  index: PodIndex,
  keeper: Keeper,
): Promise<readonly PodObject[]> {
  const set = keeper.owner as ReplicaSetObject;
  const { selector } = set.spec;
  const kept: PodObject[] = [];
  for (const pod of index.ownedBy(set)) {
    if (selects(selector, pod.metadata.labels)) kept.push(pod);
    else if (set.metadata.deletionTimestamp === undefined) await release(stage, keeper, pod);
  }
  if (set.metadata.deletionTimestamp !== undefined) return kept;
  for (const pod of index.orphans(set.metadata.namespace ?? '')) {
    if (isActive(pod) && selects(selector, pod.metadata.labels))
      kept.push(await adopt(stage, keeper, pod));
  }
  return kept;
}

interface Adjustment {
  readonly keeper: Keeper;
  readonly set: ReplicaSetObject;
  readonly active: readonly PodObject[];
}

async function adjust(
  stage: Stage,
  index: PodIndex,
  { keeper, set, active }: Adjustment,
): Promise<'settled' | 'more'> {
  const missing = (set.spec.replicas ?? 1) - active.length;
  const count = Math.min(Math.abs(missing), burst);
  if (missing > 0) {
    const drafts = Array.from({ length: count }, () => ({}));
    await createPods(stage, { ...keeper, template: set.spec.template }, drafts);
  } else if (missing < 0) {
    const related = sisterSets(stage, set).flatMap((sister) => index.ownedBy(sister));
    const nowMs = stage.ports.clock.nowMs();
    const order = inDeletionOrder({ candidates: active, related: related.filter(isActive), nowMs });
    await deletePods(stage, keeper, order.slice(0, count));
  }
  return count < Math.abs(missing) ? 'more' : 'settled';
}

function sisterSets(stage: Stage, set: ReplicaSetObject): readonly ReplicaSetObject[] {
  const owner = controllerOf(set);
  return owner === undefined ? [set] : stage.informer(replicaSets).by('owner', owner.uid);
}

function statusOf(stage: Stage, index: PodIndex, set: ReplicaSetObject): object {
  const nowMs = stage.ports.clock.nowMs();
  const active = index.ownedBy(set).filter(isActive);
  const labels = Object.entries(set.spec.template.metadata?.labels ?? {});
  const isFullyLabeled = (pod: PodObject): boolean =>
    labels.every(([key, value]) => pod.metadata.labels?.[key] === value);
  return {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(isFullyLabeled).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter((pod) =>
      isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs),
    ).length,
    observedGeneration: set.metadata.generation ?? 0,
  };
}

/** A pod becomes available by the passing of time alone, which no watch tells. */
export function untilAvailable(
  stage: Stage,
  pods: readonly PodObject[],
  minReadySeconds: number,
): Requeue {
  const nowMs = stage.ports.clock.nowMs();
  const waits = pods
    .map((pod) => (availableAtMs(pod, minReadySeconds) ?? 0) - nowMs)
    .filter((ms) => ms > 0);
  return waits.length === 0 ? onChange : after(Math.min(...waits));
}
