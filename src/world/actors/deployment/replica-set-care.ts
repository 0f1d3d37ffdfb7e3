import type { PodTemplate } from '../../../api/kubernetes/core.ts';
import {
  type DeploymentObject,
  deployments,
  type ReplicaSetObject,
  replicaSets,
} from '../../../api/kubernetes/workload.ts';
import type { LabelSelector } from '../../../core/cluster/label-selector.ts';
import { isSame, shortHash } from '../canonical-json.ts';
import { controllerReference } from '../controller-reference.ts';
import type { Stage } from '../stage.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
const hashLabel = 'pod-template-hash';
const notInherited = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  desiredAnnotation,
  maxAnnotation,
]);

/** Whether the set runs the very template that the deployment asks for now. */
export function runsTemplate(set: ReplicaSetObject, template: PodTemplate): boolean {
  const { [hashLabel]: _, ...labels } = set.spec.template.metadata?.labels ?? {};
  const own = { ...set.spec.template, metadata: { ...set.spec.template.metadata, labels } };
  return isSame(bare(own), bare(template));
}

/** Absent and empty metadata mean the same. */
function bare(template: PodTemplate): object {
  const { labels = {}, annotations = {} } = template.metadata ?? {};
  return { labels, annotations, spec: template.spec };
}

export function revisionOf(object: { readonly metadata: ReplicaSetObject['metadata'] }): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

interface SetDraft {
  readonly replicas: number;
  readonly maxReplicas: number;
  readonly revision: number;
}

/** Creates the set for the deployment's present template. */
export async function createSet(
  stage: Stage,
  deployment: DeploymentObject,
  draft: SetDraft,
): Promise<ReplicaSetObject> {
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = shortHash(bare(template));
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const created = await stage.ports.kube.create(replicaSets, {
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      ...(deployment.metadata.namespace && { namespace: deployment.metadata.namespace }),
      labels,
      annotations: annotationsOf(deployment, draft),
      ownerReferences: [controllerReference(deployments, deployment)],
    },
    spec: {
      replicas: draft.replicas,
      selector: withLabel(selector, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
      ...(minReadySeconds !== undefined && { minReadySeconds }),
    },
  });
  stage.informer(replicaSets).apply(created);
  await tellScaled(stage, deployment, { set: created, from: 0, to: draft.replicas });
  return created;
}

/** Sets size and annotations of the set; writes nothing when they are right already. */
export async function updateSet(
  stage: Stage,
  deployment: DeploymentObject,
  change: SetDraft & { readonly set: ReplicaSetObject },
): Promise<ReplicaSetObject> {
  const { set, replicas } = change;
  const annotations = { ...set.metadata.annotations, ...annotationsOf(deployment, change) };
  const from = set.spec.replicas ?? 1;
  if (from === replicas && isSame(annotations, set.metadata.annotations ?? {})) return set;
  const { name, namespace } = set.metadata;
  const changed = await stage.ports.kube.patch(
    replicaSets,
    { name, namespace },
    {
      type: 'merge',
      body: { metadata: { annotations }, spec: { replicas } },
    },
  );
  stage.informer(replicaSets).apply(changed);
  if (from !== replicas) await tellScaled(stage, deployment, { set, from, to: replicas });
  return changed;
}

function annotationsOf(deployment: DeploymentObject, draft: SetDraft): Record<string, string> {
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !notInherited.has(key),
  );
  return {
    ...Object.fromEntries(inherited),
    [revisionAnnotation]: String(draft.revision),
    [desiredAnnotation]: String(deployment.spec.replicas ?? 1),
    [maxAnnotation]: String(draft.maxReplicas),
  };
}

function withLabel(selector: LabelSelector, hash: string): LabelSelector {
  return { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } };
}

function tellScaled(
  stage: Stage,
  deployment: DeploymentObject,
  news: { readonly set: ReplicaSetObject; readonly from: number; readonly to: number },
): Promise<void> {
  const direction = news.to >= news.from ? 'up' : 'down';
  return stage.events.record({
    resource: deployments,
    about: deployment,
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${news.set.metadata.name} from ${news.from} to ${news.to}`,
    component: 'deployment-controller',
  });
}
