import type { NodeObject, TaintObject } from '../../api/kubernetes/core.ts';
import type { Condition, NewObject } from '../../api/resource.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Machine } from './machine.ts';
import type { NodeBootstrap } from './node-bootstrap.ts';
import { allocatableOf, capacityOf, resourceList } from './node-capacity.ts';

const notReady: TaintObject = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** The Node that the machine's kubelet registers, not ready yet. */
export function nodeObject(
  machine: Machine,
  bootstrap: NodeBootstrap,
  nowMs: number,
): NewObject<NodeObject> {
  const isTainted = bootstrap.taints.some(
    (taint) => taint.key === notReady.key && taint.effect === notReady.effect,
  );
  const taints = isTainted ? bootstrap.taints : [...bootstrap.taints, notReady];
  return {
    metadata: {
      name: machine.privateDnsName,
      labels: nodeLabels(machine, bootstrap),
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { providerID: `aws:///${machine.zone}/${machine.instanceId}`, taints },
    status: { ...nodeStatus(machine, bootstrap), conditions: nodeConditions('starting', nowMs) },
  };
}

function nodeLabels(machine: Machine, bootstrap: NodeBootstrap): Readonly<Record<string, string>> {
  const { arch, instanceType, region, zone } = machine;
  const { os } = systems[bootstrap.family];
  return {
    ...bootstrap.labels,
    'beta.kubernetes.io/arch': arch,
    'beta.kubernetes.io/instance-type': instanceType,
    'beta.kubernetes.io/os': os,
    'failure-domain.beta.kubernetes.io/region': region,
    'failure-domain.beta.kubernetes.io/zone': zone,
    'k8s.io/cloud-provider-aws': 'true',
    'kubernetes.io/arch': arch,
    'kubernetes.io/hostname': machine.privateDnsName,
    'kubernetes.io/os': os,
    'node.kubernetes.io/instance-type': instanceType,
    'topology.k8s.aws/zone-id': machine.zoneId,
    'topology.kubernetes.io/region': region,
    'topology.kubernetes.io/zone': zone,
  };
}

function nodeStatus(machine: Machine, bootstrap: NodeBootstrap): NonNullable<NodeObject['status']> {
  const capacity = capacityOf(machine, bootstrap);
  const system = systems[bootstrap.family];
  const kernelArch = machine.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return {
    capacity: resourceList(capacity),
    allocatable: resourceList(allocatableOf(machine, bootstrap)),
    addresses: [
      { type: 'InternalIP', address: machine.privateIp },
      { type: 'InternalDNS', address: machine.privateDnsName },
      { type: 'Hostname', address: machine.privateDnsName },
    ],
    nodeInfo: {
      architecture: machine.arch,
      bootID: machine.instanceId,
      containerRuntimeVersion: 'containerd://2.1.5',
      kernelVersion: system.kernel.replace('ARCH', kernelArch),
      kubeProxyVersion: '',
      kubeletVersion: 'v1.36.0-eks-3025e55',
      machineID: machine.instanceId.replace(/^i-/, 'ec2'),
      operatingSystem: system.os,
      osImage: system.image,
      systemUUID: machine.instanceId.replace(/^i-/, 'ec2'),
    },
  };
}

const systems = {
  al2023: {
    os: 'linux',
    image: 'Amazon Linux 2023.9.20251110',
    kernel: '6.12.55-74.119.amzn2023.ARCH',
  },
  al2: { os: 'linux', image: 'Amazon Linux 2', kernel: '5.10.245-241.978.amzn2.ARCH' },
  bottlerocket: {
    os: 'linux',
    image: 'Bottlerocket OS 1.50.0 (aws-k8s-1.36)',
    kernel: '6.12.53',
  },
  windows: { os: 'windows', image: 'Windows Server Datacenter', kernel: '10.0.20348' },
} as const;

const pressures = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

type HeartbeatCondition = Condition & { readonly lastHeartbeatTime: string };

/** The conditions with this heartbeat; transition times are kept from `former` where nothing turned. */
export function nodeConditions(
  phase: 'starting' | 'ready',
  nowMs: number,
  former: readonly Condition[] = [],
): readonly HeartbeatCondition[] {
  const now = timestamp(nowMs);
  const conditions = [
    ...pressures.map(
      ([type, reason, message]) => ({ type, status: 'False', reason, message }) as const,
    ),
    phase === 'ready'
      ? ({
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
        } as const)
      : ({
          type: 'Ready',
          status: 'False',
          reason: 'KubeletNotReady',
          message:
            'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
        } as const),
  ];
  return conditions.map((condition) => {
    const last = former.find((entry) => entry.type === condition.type);
    const lastTransitionTime = last?.status === condition.status ? last.lastTransitionTime : now;
    return { ...condition, lastHeartbeatTime: now, lastTransitionTime: lastTransitionTime ?? now };
  });
}
