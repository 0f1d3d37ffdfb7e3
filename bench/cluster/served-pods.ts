import type {
  Container,
  PodObject,
  PodSpec,
  ResourceList,
  TolerationObject,
} from '../../src/api/kubernetes/core.ts';
import { formatAmount, parseAmount } from '../../src/core/quantity/quantity.ts';
import { fieldsOf } from './field-owners.ts';

const CREATED = '2026-01-01T00:00:00Z';

/**
 * The answer of a real API server to a list of these pods, as text. It is exact for pods like those of
 * `workloads/`; of what the server adds to others alone (probes, ports, limits) nothing is there.
 */
export function servedPods(manifests: readonly PodObject[]): string {
  const metadata = { resourceVersion: String(2 * manifests.length) };
  const items = manifests.map(servedPod);
  return `${JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items })}\n`;
}

/**
 * A pod as it stands in such a list: defaults filled in, admitted, and found unschedulable by
 * kube-scheduler in a cluster without nodes. A pod that is bound is shown before its kubelet has
 * said anything of it.
 */
function servedPod(manifest: PodObject, position: number): object {
  const { name, namespace = 'default', labels, annotations, ownerReferences } = manifest.metadata;
  const { uid = uidAt(position), creationTimestamp: time = CREATED } = manifest.metadata;
  const given = {
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
  };
  const spec = withDefaults(manifest.spec);
  const verdict = spec.nodeName === undefined ? { conditions: [unschedulable(time)] } : {};
  const managedFields = [
    {
      ...writeAt(time),
      manager: creatorOf(manifest),
      fieldsV1: fieldsOf({ metadata: given, spec }),
    },
    ...(spec.nodeName === undefined ? [verdictAt(time, verdict)] : []),
  ];
  // Every pod before this one was written twice: by its creator and by the scheduler.
  const resourceVersion = String(2 * position + 2);
  const own = { name, namespace, uid, resourceVersion, generation: 1, creationTimestamp: time };
  return {
    metadata: { ...own, ...given, managedFields },
    spec: admitted(spec, uid.slice(-5)),
    status: { phase: 'Pending', ...verdict, qosClass: 'Burstable' },
  };
}

/** Who made the pod: the controller of its owner, or a person. */
export function creatorOf(manifest: PodObject): string {
  const isOwned = manifest.metadata.ownerReferences !== undefined;
  return isOwned ? 'kube-controller-manager' : 'kubectl-create';
}

function uidAt(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`;
}

function writeAt(time: string): object {
  return { operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1' };
}

function verdictAt(time: string, status: object): object {
  const fieldsV1 = fieldsOf({ status });
  return { ...writeAt(time), manager: 'kube-scheduler', fieldsV1, subresource: 'status' };
}

function unschedulable(lastTransitionTime: string): object {
  return {
    type: 'PodScheduled',
    observedGeneration: 1,
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime,
    reason: 'Unschedulable',
    message: 'no nodes available to schedule pods',
  };
}

function withDefaults(spec: PodSpec): PodSpec {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    ...{ dnsPolicy: 'ClusterFirst', securityContext: {}, enableServiceLinks: true },
    schedulerName: 'default-scheduler',
    ...spec,
    containers: spec.containers.map(withContainerDefaults),
  };
}

function withContainerDefaults(container: Container): Container {
  const { requests } = container.resources ?? {};
  const isPinned = /:(?!latest$)[^/]+$/.test(container.image ?? '');
  return {
    ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
    ...{ imagePullPolicy: isPinned ? 'IfNotPresent' : 'Always' },
    ...container,
    resources: { ...container.resources, ...(requests && { requests: shortest(requests) }) },
  };
}

/** Amounts in the largest unit that holds them: `1024Mi` is served as `1Gi`, `5000000m` as `5k`. */
function shortest(amounts: ResourceList): ResourceList {
  return Object.fromEntries(
    Object.entries(amounts).map(([resource, given]) => {
      const amount = parseAmount(resource, given);
      if (typeof amount !== 'number') throw new Error(`${given} is no amount of ${resource}`);
      const text = formatAmount(resource, amount).replace(/(?<=\d)000$/, 'k');
      return [resource, text.length < String(given).length ? text : given];
    }),
  );
}

/** What the plugins ServiceAccount, DefaultTolerationSeconds and Priority add, which nobody owns. */
function admitted(spec: PodSpec, suffix: string): object {
  const { serviceAccountName = 'default', tolerations = [], volumes = [] } = spec;
  const token = `kube-api-access-${suffix}`;
  return {
    ...spec,
    volumes: [...volumes, tokenVolume(token)],
    containers: spec.containers.map((container) => ({
      ...container,
      volumeMounts: [mount(token)],
    })),
    serviceAccountName,
    serviceAccount: serviceAccountName,
    tolerations: [...tolerations, ...patienceOf(tolerations)],
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}

function mount(name: string): object {
  const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
  return { name, readOnly: true, mountPath };
}

function tokenVolume(name: string): object {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
  ];
  return { name, projected: { sources, defaultMode: 420 } };
}

/** Five minutes with a node that has fallen silent, unless the pod has spoken of it itself. */
function patienceOf(tolerations: readonly TolerationObject[]): readonly TolerationObject[] {
  const isSpokenOf = (taint: string): boolean =>
    tolerations.some(
      ({ key = taint, effect = 'NoExecute' }) => key === taint && effect === 'NoExecute',
    );
  return ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((taint) => !isSpokenOf(taint))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
}
