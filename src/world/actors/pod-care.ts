import { type PodObject, type PodSpec, type PodTemplate, pods } from '../../api/kubernetes/core.ts';
import type { KubeObject, Resource } from '../../api/resource.ts';
import { isKubeError } from '../../ports/kube.ts';
import { nameSuffix } from '../../ports/random.ts';
import { controllerReference } from './controller-reference.ts';
import { inParallel } from './in-parallel.ts';
import type { Stage } from './stage.ts';

/** Who manages the pods: the workload, its kind, and the name its events are signed with. */
export interface Keeper {
  readonly resource: Resource;
  readonly owner: KubeObject;
  readonly component: string;
}

interface PodDraft {
  /** A generated name after the owner's when left out. */
  readonly name?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly spec?:
    | (Partial<PodSpec> & { readonly hostname?: string; readonly subdomain?: string })
    | undefined;
}

const writesAtOnce = 16;

/** Creates one pod per draft from the template; our copy knows them before this resolves. */
export async function createPods(
  stage: Stage,
  keeper: Keeper & { readonly template: PodTemplate },
  drafts: readonly PodDraft[],
): Promise<void> {
  const { kube, random } = stage.ports;
  await inParallel(drafts, writesAtOnce, async (draft) => {
    const { owner, resource, template } = keeper;
    const prefix = `${owner.metadata.name}-`;
    const created = await kube.create(pods, {
      metadata: {
        name: draft.name ?? `${prefix}${nameSuffix(random)}`,
        ...(draft.name === undefined && { generateName: prefix }),
        ...(owner.metadata.namespace && { namespace: owner.metadata.namespace }),
        labels: { ...template.metadata?.labels, ...draft.labels },
        annotations: { ...template.metadata?.annotations, ...draft.annotations },
        ...(draft.finalizers && { finalizers: draft.finalizers }),
        ownerReferences: [controllerReference(resource, owner)],
      },
      spec: { ...template.spec, ...draft.spec },
    });
    stage.informer(pods).apply(created);
    const name = created.metadata.name;
    await tell(stage, keeper, { reason: 'SuccessfulCreate', message: `Created pod: ${name}` });
  });
}

/** Deletes the pods with their own grace period. Those already gone are no failure. */
export async function deletePods(
  stage: Stage,
  keeper: Keeper,
  doomed: readonly PodObject[],
): Promise<void> {
  await inParallel(doomed, writesAtOnce, async (pod) => {
    const { name, namespace, uid } = pod.metadata;
    const answer = await deleteIfSame(stage, { name, namespace, uid });
    if (answer !== undefined) stage.informer(pods).apply(answer);
    await tell(stage, keeper, { reason: 'SuccessfulDelete', message: `Deleted pod: ${name}` });
  });
}

async function deleteIfSame(
  stage: Stage,
  pod: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
  },
): Promise<PodObject | undefined> {
  const { name, namespace, uid } = pod;
  try {
    return await stage.ports.kube.delete(pods, { name, namespace }, { uid });
  } catch (error) {
    // Another pod took the name: the one we meant is gone.
    if (isKubeError(error, 'conflict')) return undefined;
    throw error;
  }
}

/** Takes a matching pod that nobody manages under the keeper's care. */
export async function adopt(stage: Stage, keeper: Keeper, pod: PodObject): Promise<PodObject> {
  const reference = controllerReference(keeper.resource, keeper.owner);
  const ownerReferences = [...(pod.metadata.ownerReferences ?? []), reference];
  return writeOwners(stage, pod, ownerReferences);
}

/** Lets go of a pod whose labels no longer match. */
export async function release(stage: Stage, keeper: Keeper, pod: PodObject): Promise<PodObject> {
  const { uid } = keeper.owner.metadata;
  const others = (pod.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
  return writeOwners(stage, pod, others);
}

async function writeOwners(
  stage: Stage,
  pod: PodObject,
  ownerReferences: readonly object[],
): Promise<PodObject> {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const body = { metadata: { uid, resourceVersion, ownerReferences } };
  const changed = await stage.ports.kube.patch(pods, { name, namespace }, { type: 'merge', body });
  stage.informer(pods).apply(changed);
  return changed;
}

function tell(
  stage: Stage,
  keeper: Keeper,
  news: { readonly reason: string; readonly message: string },
): Promise<void> {
  const { resource, owner: about, component } = keeper;
  return stage.events.record({ resource, about, type: 'Normal', component, ...news });
}
