import { resource } from '../../api/kubernetes/core.ts';
import { isTrue, type KubeObject, type Resource } from '../../api/resource.ts';
import type { Stage } from './stage.ts';

interface DefinitionObject extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly { type: string; status: 'True' | 'False' | 'Unknown' }[];
  };
}

export const definitions: Resource<DefinitionObject> = resource(
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'CustomResourceDefinition',
  'cluster',
);

const namespaced = [
  ['/v1/configmaps', 'ConfigMap'],
  ['/v1/endpoints', 'Endpoints'],
  ['/v1/limitranges', 'LimitRange'],
  ['/v1/persistentvolumeclaims', 'PersistentVolumeClaim'],
  ['/v1/pods', 'Pod'],
  ['/v1/podtemplates', 'PodTemplate'],
  ['/v1/replicationcontrollers', 'ReplicationController'],
  ['/v1/resourcequotas', 'ResourceQuota'],
  ['/v1/secrets', 'Secret'],
  ['/v1/serviceaccounts', 'ServiceAccount'],
  ['/v1/services', 'Service'],
  ['apps/v1/controllerrevisions', 'ControllerRevision'],
  ['apps/v1/daemonsets', 'DaemonSet'],
  ['apps/v1/deployments', 'Deployment'],
  ['apps/v1/replicasets', 'ReplicaSet'],
  ['apps/v1/statefulsets', 'StatefulSet'],
  ['batch/v1/cronjobs', 'CronJob'],
  ['batch/v1/jobs', 'Job'],
  ['coordination.k8s.io/v1/leases', 'Lease'],
  ['discovery.k8s.io/v1/endpointslices', 'EndpointSlice'],
  ['networking.k8s.io/v1/ingresses', 'Ingress'],
  ['networking.k8s.io/v1/networkpolicies', 'NetworkPolicy'],
  ['policy/v1/poddisruptionbudgets', 'PodDisruptionBudget'],
  ['rbac.authorization.k8s.io/v1/rolebindings', 'RoleBinding'],
  ['rbac.authorization.k8s.io/v1/roles', 'Role'],
] as const;

const clusterWide = [
  ['/v1/nodes', 'Node'],
  ['/v1/persistentvolumes', 'PersistentVolume'],
  ['storage.k8s.io/v1/volumeattachments', 'VolumeAttachment'],
] as const;

/** Built-in kinds that own or are owned. Events are left out: many, and they own nothing. */
export const builtInKinds: readonly Resource[] = [
  ...namespaced.map(([path, kind]) => resource(path, kind, 'namespaced')),
  ...clusterWide.map(([path, kind]) => resource(path, kind, 'cluster')),
];

/** The kinds that custom resource definitions add, in their stored version. */
export function customKinds(stage: Stage): readonly Resource[] {
  return stage
    .informer(definitions)
    .list()
    .flatMap((definition) => customKind(definition) ?? []);
}

/** Undefined until the definition is established. */
export function customKind(definition: DefinitionObject): Resource | undefined {
  if (!isTrue(definition, 'Established')) return undefined;
  const { group, scope, names, versions } = definition.spec;
  const version = versions.find((candidate) => candidate.storage && candidate.served);
  if (version === undefined) return undefined;
  const path = `${group}/${version.name}/${names.plural}`;
  return resource(path, names.kind, scope === 'Namespaced' ? 'namespaced' : 'cluster');
}
