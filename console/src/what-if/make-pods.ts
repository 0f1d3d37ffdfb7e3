import { decodePod, type PodContext } from '../../../src/api/decode/pod.ts';
import { PodMemory } from '../../../src/api/decode/pod-memory.ts';
import type { PodObject, PodSpec, PodTemplate } from '../../../src/api/kubernetes/core.ts';
import {
  admittedTolerations,
  systemPriorities,
} from '../../../src/api/kubernetes/pod-admission.ts';
import { templatePath } from '../../../src/api/manifest/workload.ts';
import type { ObjectMeta } from '../../../src/api/resource.ts';
import { timestamp } from '../../../src/api/timestamp.ts';
import { valueAt } from '../../../src/api/value.ts';
import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { Question } from '../../../src/server/question.ts';
import type { Written } from './read-object.ts';

/** The label by which the pods of one version of a Deployment are told from those of another. */
export const versionLabel = 'pod-template-hash';

/** The spec that the pods of a workload will have, before a server has seen it. */
export function podSpecOf({ kind, object }: Written): PodSpec {
  const at = [...(templatePath(kind) ?? []), 'spec'];
  return valueAt(object, at) as unknown as PodSpec;
}

/** Makes the pods of workloads as their controllers would, and reads them as ours would. */
export class PodMaker {
  readonly #context: PodContext;
  readonly #createdAt: string;
  readonly #priorities: ReadonlyMap<string, number>;
  #made = 0;

  constructor({ snapshot, pods, defaultSpread, services = [] }: Question) {
    this.#createdAt = timestamp(snapshot.atMs);
    this.#priorities = prioritiesOf([...pods, ...snapshot.nodes.flatMap((node) => node.pods)]);
    this.#context = {
      memory: new PodMemory(),
      defaultSpread,
      servicesIn: (namespace) =>
        services.filter(({ metadata }) => metadata.namespace === namespace),
    };
  }

  /** Whether the priority of a class is known: it is where a pod of the cluster has it. */
  knowsClass(name: string): boolean {
    return this.#priorities.has(name);
  }

  /** Pod number `index` of a workload; `version` is the value of the label of its Deployment. */
  make(workload: Written, index: number, version: string): Pod {
    const spec = podSpecOf(workload);
    const priority = this.#priorities.get(spec.priorityClassName ?? '') ?? 0;
    const tolerations = admittedTolerations(spec.tolerations ?? []);
    const pod: PodObject = {
      metadata: {
        ...this.#metadataOf(workload, index, version),
        creationTimestamp: this.#createdAt,
      },
      spec: { ...spec, priority, tolerations },
    };
    return decodePod(pod, this.#context);
  }

  #metadataOf(workload: Written, index: number, version: string): ObjectMeta {
    const { kind, namespace, object } = workload;
    const path = templatePath(kind);
    const template = (path === undefined
      ? object
      : valueAt(object, path)) as unknown as PodTemplate;
    const { labels = {}, annotations = {} } = template.metadata ?? {};
    const made = marksOf(workload, index, version);
    return {
      name: made.name,
      namespace,
      // No uid of a cluster holds a slash.
      uid: `what-if/${++this.#made}`,
      labels: { ...labels, ...made.labels },
      annotations,
      ...(made.owner === undefined
        ? {}
        : { ownerReferences: [{ ...made.owner, uid: '', controller: true }] }),
    };
  }
}

interface Marks {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

/** What the controller of a workload writes on its pods, where it may decide where they go. */
function marksOf({ kind, name }: Written, index: number, version: string): Marks {
  switch (kind) {
    case 'Deployment': {
      const set = `${name}-${version}`;
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: set };
      return { name: `${set}-${index}`, labels: { [versionLabel]: version }, owner };
    }
    case 'StatefulSet': {
      const pod = `${name}-${index}`;
      const labels = {
        'statefulset.kubernetes.io/pod-name': pod,
        'apps.kubernetes.io/pod-index': String(index),
      };
      return { name: pod, labels, owner: { apiVersion: 'apps/v1', kind, name } };
    }
    case 'ReplicaSet':
      return { name: `${name}-${index}`, labels: {}, owner: { apiVersion: 'apps/v1', kind, name } };
    case 'Job':
    case 'CronJob': {
      const job = kind === 'Job' ? name : `${name}-next`;
      const labels = { 'batch.kubernetes.io/job-name': job, 'job-name': job };
      return {
        name: `${job}-${index}`,
        labels,
        owner: { apiVersion: 'batch/v1', kind: 'Job', name: job },
      };
    }
    default:
      return { name, labels: {} };
  }
}

function prioritiesOf(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>(Object.entries(systemPriorities));
  for (const { priorityClass, priority } of pods)
    if (priorityClass !== undefined) known.set(priorityClass, priority);
  return known;
}
