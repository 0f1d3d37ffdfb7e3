// Kubernetes objects as an API server would return them. All times are fixed, so output depends on the seed alone.

const CREATED = '2026-01-01T00:00:00Z';
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

export const keys = {
  hostname: HOSTNAME,
  zone: ZONE,
  arch: 'kubernetes.io/arch',
  capacityType: 'karpenter.sh/capacity-type',
  nodePool: 'karpenter.sh/nodepool',
  instanceType: 'node.kubernetes.io/instance-type',
};

export const list = (items) => ({ apiVersion: 'v1', kind: 'List', items });

export const namespace = (name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    uid: `namespace-${name}`,
    creationTimestamp: CREATED,
    labels: { 'kubernetes.io/metadata.name': name },
  },
});

const condition = (type) => ({
  type,
  status: 'True',
  reason: type,
  message: '',
  lastTransitionTime: CREATED,
});

export function nodePool({
  name = 'default',
  requirements = [],
  labels = {},
  taints = [],
  weight,
  budget = '100%',
  awsLabels = false,
}) {
  const standard = [
    { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
    { key: keys.arch, operator: 'In', values: ['amd64', 'arm64'] },
    { key: keys.capacityType, operator: 'In', values: ['spot', 'on-demand'] },
  ];
  const aws = [
    { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
    { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
  ];
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, uid: `nodepool-${name}`, creationTimestamp: CREATED },
    spec: {
      ...(weight === undefined ? {} : { weight }),
      limits: { cpu: '10000000', memory: '10000000Gi' },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '0s',
        budgets: [{ nodes: budget }],
      },
      template: {
        metadata: { labels },
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: 'Never',
          taints,
          requirements: [...standard, ...(awsLabels ? aws : []), ...requirements],
        },
      },
    },
    status: { conditions: ['ValidationSucceeded', 'NodeClassReady', 'Ready'].map(condition) },
  };
}

const requests = ({ cpuM, memoryMi }) => ({ cpu: `${cpuM}m`, memory: `${memoryMi}Mi` });

export const containers = (size) => [
  { name: 'app', image: 'app:1', resources: { requests: requests(size) } },
];

const owner = (apiVersion, kind, name) => ({
  apiVersion,
  kind,
  name,
  uid: `${kind.toLowerCase()}-${name}`,
  controller: true,
  blockOwnerDeletion: true,
});

const pendingStatus = {
  phase: 'Pending',
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/0 nodes are available',
      lastTransitionTime: CREATED,
    },
  ],
};
const runningStatus = {
  phase: 'Running',
  conditions: [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: CREATED },
    { type: 'Ready', status: 'True', lastTransitionTime: CREATED },
  ],
  startTime: CREATED,
};

export function pod(random, { name, labels, size, spec = {}, nodeName, ownedBy, annotations }) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: random.uid(),
      creationTimestamp: CREATED,
      labels,
      ...(annotations ? { annotations } : {}),
      ...(ownedBy ? { ownerReferences: [owner(...ownedBy)] } : {}),
    },
    spec: { ...(nodeName ? { nodeName } : {}), containers: containers(size), ...spec },
    status: nodeName ? runningStatus : pendingStatus,
  };
}

// A Deployment with its ReplicaSet; the pods are made apart, since they differ in where they are bound.
export function deployment({ name, labels, size, spec = {}, replicas }) {
  const template = { metadata: { labels }, spec: { containers: containers(size), ...spec } };
  const body = { replicas, selector: { matchLabels: labels }, template };
  const metadata = { name, namespace: 'default', creationTimestamp: CREATED, labels };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, uid: `deployment-${name}` },
      spec: body,
    },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        ...metadata,
        name: `${name}-rs`,
        uid: `replicaset-${name}-rs`,
        ownerReferences: [owner('apps/v1', 'Deployment', name)],
      },
      spec: body,
    },
  ];
}

export const replicaOf = (name) => ['apps/v1', 'ReplicaSet', `${name}-rs`];

const DAEMONS = [
  { name: 'aws-node', size: { cpuM: 50, memoryMi: 64 } },
  { name: 'kube-proxy', size: { cpuM: 100, memoryMi: 64 } },
  { name: 'log-agent', size: { cpuM: 100, memoryMi: 200 } },
];
const tolerateAll = { tolerations: [{ operator: 'Exists' }] };

export const daemonSets = () =>
  DAEMONS.map(({ name, size }) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name,
      namespace: 'kube-system',
      uid: `daemonset-${name}`,
      creationTimestamp: CREATED,
    },
    spec: {
      selector: { matchLabels: { 'k8s-app': name } },
      template: {
        metadata: { labels: { 'k8s-app': name } },
        spec: { containers: containers(size), ...tolerateAll },
      },
    },
  }));

export const daemonPods = (random, nodeName) =>
  DAEMONS.map(({ name, size }) => {
    const made = pod(random, {
      name: `${name}-${random.hex(5)}`,
      labels: { 'k8s-app': name },
      size,
      nodeName,
      spec: tolerateAll,
      ownedBy: ['apps/v1', 'DaemonSet', name],
    });
    made.metadata.namespace = 'kube-system';
    return made;
  });

export const daemonSize = {
  cpuM: DAEMONS.reduce((sum, d) => sum + d.size.cpuM, 0),
  memoryMi: DAEMONS.reduce((sum, d) => sum + d.size.memoryMi, 0),
  pods: DAEMONS.length,
};

export function disruptionBudget({ name, labels, replicas, allowed }) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {
      name,
      namespace: 'default',
      uid: `pdb-${name}`,
      creationTimestamp: CREATED,
      generation: 1,
    },
    spec: { selector: { matchLabels: labels }, maxUnavailable: allowed },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: allowed,
      currentHealthy: replicas,
      desiredHealthy: replicas - allowed,
      expectedPods: replicas,
    },
  };
}

const spread = (key, matchLabels, { maxSkew = 1, hard = true } = {}) => ({
  maxSkew,
  topologyKey: key,
  whenUnsatisfiable: hard ? 'DoNotSchedule' : 'ScheduleAnyway',
  labelSelector: { matchLabels },
});
export const zoneSpread = (matchLabels, options) => spread(ZONE, matchLabels, options);
export const hostSpread = (matchLabels, options) => spread(HOSTNAME, matchLabels, options);
export const podTerm = (topologyKey, matchLabels) => ({
  topologyKey,
  labelSelector: { matchLabels },
});
export const nodeTerm = (key, operator, values) => ({
  matchExpressions: [{ key, operator, ...(values ? { values } : {}) }],
});
export const requireNode = (...terms) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});

// A Node launched by Karpenter on AWS and the NodeClaim it came from.
export function nodeWithClaim(random, { index, type, offering, pool = 'default' }) {
  const region = offering.zone.replace(/-?[a-z]$/, '');
  const name = `ip-10-${Math.floor(index / 65536)}-${Math.floor(index / 256) % 256}-${index % 256}.${region}.compute.internal`;
  const claimName = `${pool}-${random.hex(5)}${index}`;
  const providerID = `aws:///${offering.zone}/i-${random.hex(17)}`;
  const typeLabels = Object.fromEntries(
    Object.entries(type.labels).filter(([, value]) => value !== null),
  );
  const shared = {
    ...typeLabels,
    [keys.nodePool]: pool,
    [keys.capacityType]: offering.capacityType,
    [keys.instanceType]: type.name,
    [keys.arch]: type.architecture,
    [ZONE]: offering.zone,
    ...(offering.zoneId ? { 'topology.k8s.aws/zone-id': offering.zoneId } : {}),
    'topology.kubernetes.io/region': region,
    'kubernetes.io/os': 'linux',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
  };
  const claim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: claimName,
      uid: random.uid(),
      creationTimestamp: CREATED,
      labels: shared,
      finalizers: ['karpenter.sh/termination'],
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          name: pool,
          uid: `nodepool-${pool}`,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      expireAfter: 'Never',
      requirements: [
        { key: keys.instanceType, operator: 'In', values: [type.name] },
        { key: ZONE, operator: 'In', values: [offering.zone] },
        { key: keys.capacityType, operator: 'In', values: [offering.capacityType] },
      ],
      resources: {},
    },
    status: {
      nodeName: name,
      providerID,
      capacity: type.capacity,
      allocatable: type.allocatable,
      conditions: ['Launched', 'Registered', 'Initialized', 'Consolidatable', 'Ready'].map(
        condition,
      ),
    },
  };
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: random.uid(),
      creationTimestamp: CREATED,
      finalizers: ['karpenter.sh/termination'],
      labels: {
        ...shared,
        [HOSTNAME]: name,
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
      },
    },
    spec: { providerID },
    status: {
      capacity: type.capacity,
      allocatable: type.allocatable,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          lastHeartbeatTime: CREATED,
          lastTransitionTime: CREATED,
        },
      ],
    },
  };
  return { node, claim };
}
