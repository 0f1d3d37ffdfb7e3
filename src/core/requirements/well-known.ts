/** Label, annotation, taint and finalizer names that Karpenter and Kubernetes agree on. */
export const labels = {
  nodePool: 'karpenter.sh/nodepool',
  capacityType: 'karpenter.sh/capacity-type',
  registered: 'karpenter.sh/registered',
  initialized: 'karpenter.sh/initialized',
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  nodeClass: 'karpenter.k8s.aws/ec2nodeclass',
  reservationId: 'karpenter.k8s.aws/capacity-reservation-id',
  zone: 'topology.kubernetes.io/zone',
  zoneId: 'topology.k8s.aws/zone-id',
  region: 'topology.kubernetes.io/region',
  instanceType: 'node.kubernetes.io/instance-type',
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  windowsBuild: 'node.kubernetes.io/windows-build',
  hostname: 'kubernetes.io/hostname',
  excludeFromLoadBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
} as const;

/** The one field of a node that pods may ask for beside its labels; it is asked for like a label. */
export const nameField = 'metadata.name';

/** Whether a node has it of itself once it is there, so that nobody can order one that has it. */
export function isNameOfNode(key: string): boolean {
  return key === labels.hostname || key === nameField;
}

export const annotations = {
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  nodeClassHash: 'karpenter.k8s.aws/ec2nodeclass-hash',
  nodeClassHashVersion: 'karpenter.k8s.aws/ec2nodeclass-hash-version',
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
} as const;

export const finalizers = {
  termination: 'karpenter.sh/termination',
  nodeClass: 'karpenter.k8s.aws/termination',
} as const;

export const taintKeys = {
  disrupted: 'karpenter.sh/disrupted',
  unregistered: 'karpenter.sh/unregistered',
} as const;

const wellKnown: ReadonlySet<string> = new Set([
  labels.nodePool,
  labels.capacityType,
  labels.zone,
  labels.zoneId,
  labels.region,
  labels.instanceType,
  labels.arch,
  labels.os,
  labels.windowsBuild,
]);

/** Whether the cloud fills this label in by itself, so that a pool need not define it. */
export function isWellKnownLabel(key: string): boolean {
  return wellKnown.has(key) || key.startsWith('karpenter.k8s.aws/');
}
