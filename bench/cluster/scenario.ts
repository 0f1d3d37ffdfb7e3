import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import type { NodePool } from '../../src/api/karpenter/node-pool.ts';
import type {
  DaemonSetObject,
  NamespaceObject,
  NodeObject,
  PodObject,
} from '../../src/api/kubernetes/core.ts';
import type {
  CsiNodeObject,
  StorageClassObject,
  VolumeClaimObject,
  VolumeObject,
} from '../../src/api/kubernetes/volume.ts';
import type { Condition, KubeObject } from '../../src/api/resource.ts';

/** A cluster at rest: what an API server would return, by kind, with defaults filled in. */
export interface Scenario {
  readonly pods: readonly PodObject[];
  readonly nodes: readonly NodeObject[];
  readonly claims: readonly NodeClaim[];
  readonly pools: readonly NodePool[];
  readonly daemonSets: readonly DaemonSetObject[];
  readonly namespaces: readonly NamespaceObject[];
  readonly volumeClaims: readonly VolumeClaimObject[];
  readonly volumes: readonly VolumeObject[];
  readonly storageClasses: readonly StorageClassObject[];
  readonly csiNodes: readonly CsiNodeObject[];
}

/**
 * Sorts a Kubernetes List by kind and fills in what the API server's defaulting and the cluster's other
 * controllers would have: uids, namespaces, pods tried in vain, pools and claims that are ready.
 */
export function scenarioOf({ items }: { readonly items: readonly KubeObject[] }): Scenario {
  const of = <T>(kind: string): T[] =>
    items.flatMap((item, index) =>
      item.kind === kind ? [withDefaults(item, index) as unknown as T] : [],
    );
  return {
    pods: of('Pod'),
    nodes: of('Node'),
    claims: of('NodeClaim'),
    pools: of('NodePool'),
    daemonSets: of('DaemonSet'),
    namespaces: of('Namespace'),
    volumeClaims: of('PersistentVolumeClaim'),
    volumes: of('PersistentVolume'),
    storageClasses: of('StorageClass'),
    csiNodes: of('CSINode'),
  };
}

function withDefaults(item: KubeObject, position: number): KubeObject {
  const uid = item.metadata.uid ?? `00000000-0000-0000-0000-${String(position).padStart(12, '0')}`;
  const object = { ...item, metadata: { ...item.metadata, uid } };
  switch (item.kind) {
    case 'Pod':
      return podDefaults(inNamespace(object) as PodObject);
    case 'DaemonSet':
    case 'PersistentVolumeClaim':
      return inNamespace(object);
    case 'Node':
      return nodeDefaults(object as NodeObject);
    case 'NodePool':
      return withConditions(object, ['ValidationSucceeded', 'NodeClassReady', 'Ready']);
    case 'NodeClaim':
      return withConditions(object, ['Launched', 'Registered', 'Initialized', 'Consolidatable']);
    default:
      return object;
  }
}

function inNamespace(object: KubeObject): KubeObject {
  const { namespace = 'default' } = object.metadata;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

const triedInVain: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };

function podDefaults(pod: PodObject): PodObject {
  if ((pod.spec.nodeName ?? '') !== '')
    return { ...pod, status: { phase: 'Running', ...pod.status } };
  const conditions = pod.status?.conditions ?? [];
  const isTried = conditions.some((condition) => condition.type === 'PodScheduled');
  return {
    ...pod,
    status: {
      ...pod.status,
      phase: 'Pending',
      conditions: isTried ? conditions : [...conditions, triedInVain],
    },
  };
}

function nodeDefaults(node: NodeObject): NodeObject {
  const { name, labels = {} } = node.metadata;
  const isOurs = labels['karpenter.sh/nodepool'] !== undefined;
  const grown = isOurs
    ? { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' }
    : {};
  const named = { 'kubernetes.io/hostname': name, ...labels, ...grown };
  return withConditions(
    {
      ...node,
      metadata: { ...node.metadata, labels: named },
      spec: { providerID: `scenario:///${name}`, ...node.spec },
    },
    ['Ready'],
  );
}

/** Conditions that are not spoken of are true. */
function withConditions<T extends KubeObject & { readonly status?: object }>(
  object: T,
  types: readonly string[],
): T {
  const status = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
  const known = status.conditions ?? [];
  const missing = types.filter((type) => !known.some((condition) => condition.type === type));
  const added = missing.map((type): Condition => ({ type, status: 'True', reason: type }));
  return { ...object, status: { ...status, conditions: [...known, ...added] } };
}
