import type { Kind, Subresource } from '../kinds.ts';

const everyVerb = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const;

const status: Subresource = { name: 'status', verbs: ['get', 'patch', 'update'] };
const scale: Subresource = {
  name: 'scale',
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: ['get', 'patch', 'update'],
};

interface Row {
  readonly kind: string;
  readonly plural?: string;
  readonly short?: readonly string[];
  readonly categories?: readonly string[];
  readonly isNamespaced?: boolean;
  readonly verbs?: readonly string[];
  readonly sub?: readonly Subresource[];
  readonly storage?: string;
}

/** Every kind that is served from the start, group by group. */
export function builtInKinds(): readonly Kind[] {
  return [
    ...rows('', 'v1', coreRows),
    ...rows('apps', 'v1', appsRows),
    ...rows('batch', 'v1', batchRows),
    ...rows('policy', 'v1', [
      { kind: 'PodDisruptionBudget', short: ['pdb'], isNamespaced: true, sub: [status] },
    ]),
    ...rows('coordination.k8s.io', 'v1', [{ kind: 'Lease', isNamespaced: true }]),
    ...rows('storage.k8s.io', 'v1', storageRows),
    ...rows('scheduling.k8s.io', 'v1', [
      { kind: 'PriorityClass', plural: 'priorityclasses', short: ['pc'] },
    ]),
    ...rows('events.k8s.io', 'v1', [
      { kind: 'Event', short: ['ev'], isNamespaced: true, storage: 'events' },
    ]),
    ...rows('apiextensions.k8s.io', 'v1', [
      {
        kind: 'CustomResourceDefinition',
        short: ['crd', 'crds'],
        categories: ['api-extensions'],
        sub: [status],
      },
    ]),
    ...rows('rbac.authorization.k8s.io', 'v1', accessRows),
    ...rows('authorization.k8s.io', 'v1', reviewRows),
    ...rows('discovery.k8s.io', 'v1', [{ kind: 'EndpointSlice', isNamespaced: true }]),
    ...rows('networking.k8s.io', 'v1', networkRows),
    ...rows('node.k8s.io', 'v1', [{ kind: 'RuntimeClass', plural: 'runtimeclasses' }]),
    ...rows('admissionregistration.k8s.io', 'v1', [
      { kind: 'MutatingWebhookConfiguration', categories: ['api-extensions'] },
      { kind: 'ValidatingWebhookConfiguration', categories: ['api-extensions'] },
    ]),
  ];
}

const coreRows: readonly Row[] = [
  { kind: 'Binding', isNamespaced: true, verbs: ['create'] },
  { kind: 'ConfigMap', short: ['cm'], isNamespaced: true },
  { kind: 'Endpoints', plural: 'endpoints', short: ['ep'], isNamespaced: true },
  { kind: 'Event', short: ['ev'], isNamespaced: true },
  { kind: 'LimitRange', short: ['limits'], isNamespaced: true },
  {
    kind: 'Namespace',
    short: ['ns'],
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    sub: [{ name: 'finalize', verbs: ['update'] }, status],
  },
  { kind: 'Node', short: ['no'], sub: [status] },
  { kind: 'PersistentVolumeClaim', short: ['pvc'], isNamespaced: true, sub: [status] },
  { kind: 'PersistentVolume', short: ['pv'], sub: [status] },
  {
    kind: 'Pod',
    short: ['po'],
    categories: ['all'],
    isNamespaced: true,
    sub: [
      { name: 'binding', kind: 'Binding', verbs: ['create'] },
      { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
      { name: 'log', verbs: ['get'] },
      status,
    ],
  },
  { kind: 'PodTemplate', isNamespaced: true },
  {
    kind: 'ReplicationController',
    short: ['rc'],
    categories: ['all'],
    isNamespaced: true,
    sub: [scale, status],
  },
  { kind: 'ResourceQuota', short: ['quota'], isNamespaced: true, sub: [status] },
  { kind: 'Secret', isNamespaced: true },
  {
    kind: 'ServiceAccount',
    short: ['sa'],
    isNamespaced: true,
    sub: [
      {
        name: 'token',
        kind: 'TokenRequest',
        group: 'authentication.k8s.io',
        version: 'v1',
        verbs: ['create'],
      },
    ],
  },
  { kind: 'Service', short: ['svc'], categories: ['all'], isNamespaced: true, sub: [status] },
];

const all = ['all'];

const appsRows: readonly Row[] = [
  { kind: 'ControllerRevision', isNamespaced: true },
  { kind: 'DaemonSet', short: ['ds'], categories: all, isNamespaced: true, sub: [status] },
  {
    kind: 'Deployment',
    short: ['deploy'],
    categories: all,
    isNamespaced: true,
    sub: [scale, status],
  },
  { kind: 'ReplicaSet', short: ['rs'], categories: all, isNamespaced: true, sub: [scale, status] },
  {
    kind: 'StatefulSet',
    short: ['sts'],
    categories: all,
    isNamespaced: true,
    sub: [scale, status],
  },
];

const batchRows: readonly Row[] = [
  { kind: 'CronJob', short: ['cj'], categories: all, isNamespaced: true, sub: [status] },
  { kind: 'Job', categories: all, isNamespaced: true, sub: [status] },
];

const storageRows: readonly Row[] = [
  { kind: 'CSIDriver' },
  { kind: 'CSINode' },
  { kind: 'StorageClass', plural: 'storageclasses', short: ['sc'] },
  { kind: 'VolumeAttachment', sub: [status] },
];

const accessRows: readonly Row[] = [
  { kind: 'ClusterRoleBinding' },
  { kind: 'ClusterRole' },
  { kind: 'RoleBinding', isNamespaced: true },
  { kind: 'Role', isNamespaced: true },
];

const reviewRows: readonly Row[] = [
  { kind: 'SelfSubjectAccessReview', verbs: ['create'] },
  { kind: 'SelfSubjectRulesReview', verbs: ['create'] },
  { kind: 'SubjectAccessReview', verbs: ['create'] },
];

const networkRows: readonly Row[] = [
  {
    kind: 'Ingress',
    plural: 'ingresses',
    short: ['ing'],
    isNamespaced: true,
    sub: [status],
  },
  {
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    short: ['netpol'],
    isNamespaced: true,
  },
];

function rows(group: string, version: string, all: readonly Row[]): readonly Kind[] {
  return all.map((row) => {
    const plural = row.plural ?? `${row.kind.toLowerCase()}s`;
    return {
      group,
      version,
      kind: row.kind,
      plural,
      singular: row.kind.toLowerCase(),
      listKind: `${row.kind}List`,
      shortNames: row.short ?? [],
      categories: row.categories ?? [],
      isNamespaced: row.isNamespaced ?? false,
      verbs: row.verbs ?? everyVerb,
      subresources: row.sub ?? [],
      storage: row.storage ?? (group === '' ? plural : `${plural}.${group}`),
      isCustom: false,
    };
  });
}
