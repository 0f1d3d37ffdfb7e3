import type { PodObject } from '../../api/kubernetes/core.ts';
import { type StatefulSetObject, statefulSets } from '../../api/kubernetes/workload.ts';
import { keyOf } from '../../api/resource.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import { shortHash } from './canonical-json.ts';
import { controllerOf } from './controller-reference.ts';
import { createPods, deletePods, type Keeper } from './pod-care.ts';
import { type PodIndex, podIndex, podSettleMs } from './pod-index.ts';
import { isAvailable, isReady, isTerminal, isTerminating } from './pod-state.ts';
import { untilAvailable } from './replica-set.ts';
import type { Stage } from './stage.ts';
import { writeStatus } from './status-writer.ts';

const revisionLabel = 'controller-revision-hash';

/** Keeps the numbered pods of each StatefulSet, in order. Volume claims are not made. */
export function runStatefulSets(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const loop = stage.loop('statefulset', (key) => reconcile(stage, index, key));
  stage.informer(statefulSets).onChange(({ object }) => loop.enqueue(keyOf(object)));
  index.informer.onChange(({ object: pod }) => {
    const owner = controllerOf(pod);
    if (owner?.kind === 'StatefulSet')
      loop.enqueueAfter(`${pod.metadata.namespace}/${owner.name}`, podSettleMs);
  });
  return loop.done;
}

async function reconcile(stage: Stage, index: PodIndex, key: string): Promise<Requeue> {
  const set = stage.informer(statefulSets).get(key);
  if (set === undefined) return onChange;
  const update = `${set.metadata.name}-${shortHash(set.spec.template)}`;
  if (set.metadata.deletionTimestamp === undefined) {
    const nowMs = stage.ports.clock.nowMs();
    const step = nextStatefulStep({ set, pods: index.ownedBy(set), update, nowMs });
    const keeper: Keeper = {
      resource: statefulSets,
      owner: set,
      component: 'statefulset-controller',
    };
    await deletePods(stage, keeper, step.doomed);
    await createPods(
      stage,
      { ...keeper, template: set.spec.template },
      step.missing.map((ordinal) => draft(set, ordinal, update)),
    );
  }
  const pods = index.ownedBy(set);
  const status = { ...set.status, ...statusOf(stage, { set, pods, update }) };
  await writeStatus(stage, { resource: statefulSets, object: set }, status);
  return untilAvailable(stage, pods, set.spec.minReadySeconds ?? 0);
}

interface StatefulQuestion {
  readonly set: StatefulSetObject;
  readonly pods: readonly PodObject[];
  /** The revision of the present template. */
  readonly update: string;
  readonly nowMs: number;
}

interface StatefulStep {
  readonly missing: readonly number[];
  readonly doomed: readonly PodObject[];
}

const nothing: StatefulStep = { missing: [], doomed: [] };

/**
 * The next step: pods are created from the lowest ordinal, removed and updated from the highest.
 * With ordered management each waits for the one before it to be available.
 */
function nextStatefulStep(question: StatefulQuestion): StatefulStep {
  const { set, nowMs } = question;
  const isParallel = set.spec.podManagementPolicy === 'Parallel';
  const start = set.spec.ordinals?.start ?? 0;
  const end = start + (set.spec.replicas ?? 1);
  const byOrdinal = new Map(question.pods.map((pod) => [ordinalOf(pod), pod]));
  const isUp = (pod: PodObject | undefined): boolean =>
    pod !== undefined &&
    !isTerminating(pod) &&
    isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);

  const missing: number[] = [];
  const doomed: PodObject[] = [];
  for (let ordinal = start; ordinal < end; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) missing.push(ordinal);
    else if (isTerminal(pod) && !isTerminating(pod)) doomed.push(pod);
    if (!isParallel && !isUp(pod)) return { missing, doomed };
  }
  const surplus = question.pods
    .filter((pod) => ordinalOf(pod) >= end || ordinalOf(pod) < start)
    .sort((a, b) => ordinalOf(b) - ordinalOf(a));
  if (surplus.length > 0) {
    const leaving = isParallel ? surplus : surplus.slice(0, 1);
    return { missing, doomed: [...doomed, ...leaving.filter((pod) => !isTerminating(pod))] };
  }
  if (missing.length > 0 || doomed.length > 0) return { missing, doomed };
  return updateStep(question, { byOrdinal, start, end, isUp });
}

function updateStep(
  { set, update }: StatefulQuestion,
  view: {
    readonly byOrdinal: ReadonlyMap<number, PodObject>;
    readonly start: number;
    readonly end: number;
    readonly isUp: (pod: PodObject | undefined) => boolean;
  },
): StatefulStep {
  if (set.spec.updateStrategy?.type === 'OnDelete') return nothing;
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (let ordinal = view.end - 1; ordinal >= view.start + partition; ordinal--) {
    const pod = view.byOrdinal.get(ordinal);
    const isOutdated = pod?.metadata.labels?.[revisionLabel] !== update;
    if (pod !== undefined && isOutdated && !isTerminating(pod))
      return { missing: [], doomed: [pod] };
    if (!view.isUp(pod)) return nothing;
  }
  return nothing;
}

function ordinalOf(pod: PodObject): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}

function draft(set: StatefulSetObject, ordinal: number, revision: string) {
  const name = `${set.metadata.name}-${ordinal}`;
  return {
    name,
    labels: {
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
      [revisionLabel]: revision,
    },
    spec: { hostname: name, ...(set.spec.serviceName && { subdomain: set.spec.serviceName }) },
  };
}

function statusOf(
  stage: Stage,
  {
    set,
    pods,
    update,
  }: {
    readonly set: StatefulSetObject;
    readonly pods: readonly PodObject[];
    readonly update: string;
  },
): object {
  const nowMs = stage.ports.clock.nowMs();
  const created = pods.filter((pod) => !isTerminal(pod));
  const updated = created.filter((pod) => pod.metadata.labels?.[revisionLabel] === update);
  const desired = set.spec.replicas ?? 1;
  const available = created.filter((pod) =>
    isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs),
  ).length;
  const former = set.status?.currentRevision;
  const isDone = updated.length === desired && created.length === desired && available === desired;
  const currentRevision = typeof former === 'string' && !isDone ? former : update;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: created.filter(isReady).length,
    availableReplicas: available,
    updatedReplicas: updated.length,
    currentReplicas: created.filter(
      (pod) => pod.metadata.labels?.[revisionLabel] === currentRevision,
    ).length,
    currentRevision,
    updateRevision: update,
    collisionCount: 0,
  };
}
