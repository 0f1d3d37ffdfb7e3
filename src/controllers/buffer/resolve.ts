import { decodePod } from '../../api/decode/pod.ts';
import { decodeResources } from '../../api/decode/resources.ts';
import type { CapacityBuffer } from '../../api/karpenter/capacity-buffer.ts';
import type { PodSpec, PodTemplate } from '../../api/kubernetes/core.ts';
import {
  deployments,
  podTemplates,
  replicaSets,
  statefulSets,
} from '../../api/kubernetes/workload.ts';
import { bufferReplicas, type VirtualPod, virtualPods } from '../../core/cluster/buffer.ts';
import type { KubeClient } from '../../ports/kube.ts';

export interface ResolvedBuffer {
  readonly kind: 'resolved';
  readonly pods: readonly VirtualPod[];
  readonly templateRef?: { readonly name: string } | undefined;
  readonly templateGeneration?: number | undefined;
}

export interface UnresolvedBuffer {
  readonly kind: 'unresolved';
  readonly reason: 'PodTemplateNotFound' | 'ScalableRefNotFound' | 'ResolutionFailed';
  readonly message: string;
}

interface Source {
  readonly template: PodTemplate;
  readonly workloadReplicas?: number | undefined;
  readonly templateRef?: { readonly name: string } | undefined;
  readonly templateGeneration?: number | undefined;
}

/** Finds the pods that the buffer keeps room for, and how many. */
export async function resolveBuffer(
  kube: KubeClient,
  buffer: CapacityBuffer,
): Promise<ResolvedBuffer | UnresolvedBuffer> {
  const source = await sourceOf(kube, buffer);
  if ('kind' in source) return source;
  const limits = decodeResources(buffer.spec.limits, 'limits');
  if (limits.invalid.length > 0) return failed(limits.invalid.join('; '));
  const { name, namespace = '', uid = '' } = buffer.metadata;
  const labels = source.template.metadata?.labels ?? {};
  const model = decodePod({
    metadata: { name, namespace, labels },
    spec: withoutPlace(source.template.spec),
  });
  const replicas = bufferReplicas({
    replicas: buffer.spec.replicas,
    percentage: buffer.spec.percentage,
    workloadReplicas: source.workloadReplicas,
    limits: buffer.spec.limits === undefined ? undefined : limits.resources,
    requests: model.requests,
  });
  const { templateRef, templateGeneration } = source;
  const pods = virtualPods({ namespace, name, uid, replicas, model });
  return { kind: 'resolved', pods, templateRef, templateGeneration };
}

async function sourceOf(
  kube: KubeClient,
  { metadata, spec }: CapacityBuffer,
): Promise<Source | UnresolvedBuffer> {
  const namespace = metadata.namespace ?? '';
  if (spec.podTemplateRef !== undefined) {
    const { name } = spec.podTemplateRef;
    const found = await kube.get(podTemplates, { namespace, name });
    if (found !== undefined)
      return {
        template: found.template,
        templateRef: { name },
        templateGeneration: found.metadata.generation,
      };
    return notFound('PodTemplateNotFound', `PodTemplate ${namespace}/${name} does not exist`);
  }
  if (spec.scalableRef === undefined)
    return failed('it names neither a podTemplateRef nor a scalableRef');
  return workloadOf(kube, namespace, spec.scalableRef);
}

const workloads = { Deployment: deployments, StatefulSet: statefulSets, ReplicaSet: replicaSets };

async function workloadOf(
  kube: KubeClient,
  namespace: string,
  reference: NonNullable<CapacityBuffer['spec']['scalableRef']>,
): Promise<Source | UnresolvedBuffer> {
  const { apiGroup = '', kind, name } = reference;
  const isKnown = apiGroup === '' || apiGroup === 'apps';
  if (!isKnown || !isWorkload(kind))
    return failed(
      `pods of ${kind}.${apiGroup} are not known; a Deployment, StatefulSet or ReplicaSet would do`,
    );
  const found = await kube.get(workloads[kind], { namespace, name });
  if (found === undefined)
    return notFound('ScalableRefNotFound', `${kind} ${namespace}/${name} does not exist`);
  const { template, replicas = 1 } = found.spec;
  return { template, workloadReplicas: replicas };
}

function isWorkload(kind: string): kind is keyof typeof workloads {
  return Object.hasOwn(workloads, kind);
}

/** Room is kept wherever the pods may go; the volumes that they will bring do not exist yet. */
function withoutPlace(spec: PodSpec): PodSpec {
  const { nodeName: _node, volumes: _volumes, ...rest } = spec;
  return rest;
}

function notFound(reason: UnresolvedBuffer['reason'], message: string): UnresolvedBuffer {
  return { kind: 'unresolved', reason, message };
}

function failed(message: string): UnresolvedBuffer {
  return notFound('ResolutionFailed', message);
}
