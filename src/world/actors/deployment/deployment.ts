import {
  type DeploymentObject,
  deployments,
  type ReplicaSetObject,
  replicaSets,
} from '../../../api/kubernetes/workload.ts';
import { keyOf } from '../../../api/resource.ts';
import { selects } from '../../../core/cluster/label-selector.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { controllerOf, controllerReference } from '../controller-reference.ts';
import { type PodIndex, podIndex } from '../pod-index.ts';
import { byAge, createdAtMs, isTerminal } from '../pod-state.ts';
import type { Stage } from '../stage.ts';
import { writeStatus } from '../status-writer.ts';
import { deploymentStatus } from './deployment-status.ts';
import {
  createSet,
  desiredAnnotation,
  revisionAnnotation,
  revisionOf,
  runsTemplate,
  updateSet,
} from './replica-set-care.ts';
import { proportionalStep, type Resize, rollingStep, type SetSize, slackOf } from './rollout.ts';

/** Rolls each Deployment's pods over to its present template, through ReplicaSets. */
export function runDeployments(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const informer = stage.informer(deployments);
  const sets = stage.informer(replicaSets);
  const loop = stage.loop('deployment', (key) => reconcile(stage, index, key));
  informer.onChange(({ object }) => loop.enqueue(keyOf(object)));
  sets.addIndex('orphan', (set) =>
    controllerOf(set) === undefined ? [set.metadata.namespace ?? ''] : [],
  );
  sets.onChange(({ object: set }) => {
    const owner = controllerOf(set);
    if (owner?.kind === 'Deployment') loop.enqueue(`${set.metadata.namespace}/${owner.name}`);
  });
  // Recreate waits for the last old pod to be gone, which the sets' counts do not show.
  index.informer.onChange(({ type, object: pod }) => {
    if (type !== 'deleted') return;
    const set = sets.get(`${pod.metadata.namespace}/${controllerOf(pod)?.name}`);
    const owner = set === undefined ? undefined : controllerOf(set);
    if (owner?.kind === 'Deployment') loop.enqueue(`${pod.metadata.namespace}/${owner.name}`);
  });
  return loop.done;
}

async function reconcile(stage: Stage, index: PodIndex, key: string): Promise<Requeue> {
  const deployment = stage.informer(deployments).get(key);
  if (deployment === undefined) return onChange;
  if (deployment.metadata.deletionTimestamp === undefined) {
    await adoptSets(stage, deployment);
    await roll(stage, index, deployment);
    await trimHistory(stage, deployment);
  }
  const sets = setsOf(stage, deployment);
  const fresh = freshOf(sets, deployment);
  const nowMs = stage.ports.clock.nowMs();
  const { status, deadlineInMs } = deploymentStatus({ deployment, sets, fresh, nowMs });
  await writeStatus(stage, { resource: deployments, object: deployment }, status);
  return deadlineInMs === undefined ? onChange : after(deadlineInMs);
}

function setsOf(stage: Stage, deployment: DeploymentObject): readonly ReplicaSetObject[] {
  return [...stage.informer(replicaSets).by('owner', deployment.metadata.uid ?? '')].sort(byAge);
}

/** Of several sets with the template the oldest, so that everybody picks the same. */
function freshOf(
  sets: readonly ReplicaSetObject[],
  deployment: DeploymentObject,
): ReplicaSetObject | undefined {
  return sets.find((set) => runsTemplate(set, deployment.spec.template));
}

async function adoptSets(stage: Stage, deployment: DeploymentObject): Promise<void> {
  const informer = stage.informer(replicaSets);
  for (const set of informer.by('orphan', deployment.metadata.namespace ?? '')) {
    if (set.metadata.deletionTimestamp !== undefined) continue;
    if (!selects(deployment.spec.selector, set.metadata.labels)) continue;
    const { name, namespace, resourceVersion, ownerReferences = [] } = set.metadata;
    const owners = [...ownerReferences, controllerReference(deployments, deployment)];
    const body = { metadata: { resourceVersion, ownerReferences: owners } };
    informer.apply(
      await stage.ports.kube.patch(replicaSets, { name, namespace }, { type: 'merge', body }),
    );
  }
}

async function roll(stage: Stage, index: PodIndex, deployment: DeploymentObject): Promise<void> {
  const sets = setsOf(stage, deployment);
  const fresh = freshOf(sets, deployment);
  const old = sets.filter((set) => set !== fresh);
  const desired = deployment.spec.replicas ?? 1;
  const slack =
    deployment.spec.strategy?.type === 'Recreate'
      ? { surge: 0, unavailable: 0 }
      : slackOf(deployment.spec.strategy?.rollingUpdate, desired);
  const resize = (step: Resize): Promise<void> =>
    applyStep(stage, deployment, { sets, fresh, step, maxReplicas: desired + slack.surge });

  if (deployment.spec.paused === true || isScaling(sets, desired)) {
    await resize(scaleStep(sets, fresh, { desired, surge: slack.surge }));
    return;
  }
  const revision = Math.max(0, ...old.map(revisionOf)) + 1;
  if (deployment.spec.strategy?.type === 'Recreate') {
    await recreate(stage, index, { deployment, fresh, old, revision });
    return;
  }
  if (fresh === undefined) {
    const running = old.reduce((sum, set) => sum + (set.spec.replicas ?? 1), 0);
    const replicas = Math.max(0, Math.min(desired, desired + slack.surge - running));
    await createSet(stage, deployment, { replicas, maxReplicas: desired + slack.surge, revision });
    await noteRevision(stage, deployment, revision);
    return;
  }
  await resize(rollingStep({ desired, slack, fresh: sizeOf(fresh), old: old.map(sizeOf) }));
  const current = Math.max(revision, revisionOf(fresh));
  await noteRevision(stage, deployment, current);
}

/** The number of replicas was changed since the sets were last sized. */
function isScaling(sets: readonly ReplicaSetObject[], desired: number): boolean {
  return sets.some((set) => {
    const noted = set.metadata.annotations?.[desiredAnnotation];
    return (set.spec.replicas ?? 1) > 0 && noted !== undefined && Number(noted) !== desired;
  });
}

function scaleStep(
  sets: readonly ReplicaSetObject[],
  fresh: ReplicaSetObject | undefined,
  { desired, surge }: { readonly desired: number; readonly surge: number },
): Resize {
  const active = sets.filter((set) => (set.spec.replicas ?? 1) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? fresh ?? sets.at(-1));
  if (only !== undefined) return new Map([[only.metadata.name, desired]]);
  if (active.length === 0) return new Map();
  return proportionalStep(active.map(sizeOf), desired, surge);
}

interface StepApplication {
  readonly sets: readonly ReplicaSetObject[];
  readonly fresh: ReplicaSetObject | undefined;
  readonly step: Resize;
  readonly maxReplicas: number;
}

/** Resizes as the step says, and notes on every live set what it was sized for. */
async function applyStep(
  stage: Stage,
  deployment: DeploymentObject,
  { sets, fresh, step, maxReplicas }: StepApplication,
): Promise<void> {
  const latest = Math.max(0, ...sets.filter((set) => set !== fresh).map(revisionOf)) + 1;
  for (const set of sets) {
    const replicas = step.get(set.metadata.name) ?? set.spec.replicas ?? 1;
    if (set !== fresh && replicas === 0 && set.spec.replicas === 0) continue;
    const revision = set === fresh ? Math.max(latest, revisionOf(set)) : revisionOf(set);
    await updateSet(stage, deployment, { set, replicas, maxReplicas, revision });
  }
}

interface Recreation {
  readonly deployment: DeploymentObject;
  readonly fresh: ReplicaSetObject | undefined;
  readonly old: readonly ReplicaSetObject[];
  readonly revision: number;
}

/** All old pods end before the first new one starts. */
async function recreate(stage: Stage, index: PodIndex, work: Recreation): Promise<void> {
  const { deployment, fresh, old } = work;
  const desired = deployment.spec.replicas ?? 1;
  for (const set of old.filter((candidate) => (candidate.spec.replicas ?? 1) > 0)) {
    const revision = revisionOf(set);
    await updateSet(stage, deployment, { set, replicas: 0, maxReplicas: desired, revision });
  }
  const isClear = old.every((set) => index.ownedBy(set).every(isTerminal));
  if (!isClear) return;
  const draft = { replicas: desired, maxReplicas: desired, revision: work.revision };
  if (fresh === undefined) await createSet(stage, deployment, draft);
  else {
    const revision = Math.max(work.revision, revisionOf(fresh));
    await updateSet(stage, deployment, { ...draft, revision, set: fresh });
  }
  await noteRevision(stage, deployment, Math.max(work.revision, fresh ? revisionOf(fresh) : 0));
}

async function noteRevision(
  stage: Stage,
  deployment: DeploymentObject,
  revision: number,
): Promise<void> {
  const text = String(revision);
  if (deployment.metadata.annotations?.[revisionAnnotation] === text) return;
  const { name, namespace } = deployment.metadata;
  const body = { metadata: { annotations: { [revisionAnnotation]: text } } };
  const changed = await stage.ports.kube.patch(
    deployments,
    { name, namespace },
    {
      type: 'merge',
      body,
    },
  );
  stage.informer(deployments).apply(changed);
}

/** Forgets the oldest empty sets beyond the history limit. */
async function trimHistory(stage: Stage, deployment: DeploymentObject): Promise<void> {
  const sets = setsOf(stage, deployment);
  const fresh = freshOf(sets, deployment);
  const past = sets
    .filter((set) => set !== fresh && set.spec.replicas === 0 && (set.status?.replicas ?? 0) === 0)
    .filter((set) => set.metadata.deletionTimestamp === undefined)
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  const surplus = past.length - (deployment.spec.revisionHistoryLimit ?? 10);
  for (const set of past.slice(0, Math.max(0, surplus))) {
    const { name, namespace, uid } = set.metadata;
    await stage.ports.kube.delete(
      replicaSets,
      { name, namespace },
      { uid, propagation: 'Background' },
    );
  }
}

function sizeOf(set: ReplicaSetObject): SetSize {
  return {
    name: set.metadata.name,
    replicas: set.spec.replicas ?? 1,
    available: set.status?.availableReplicas ?? 0,
    createdAtMs: createdAtMs(set),
  };
}
