import type { ResourceList } from '../../api/kubernetes/core.ts';
import { formatAmount, parseAmount } from '../../core/quantity/quantity.ts';
import type { Resources } from '../../core/quantity/resources.ts';
import type { Machine } from './machine.ts';
import type { NodeBootstrap } from './node-bootstrap.ts';

const mebi = 2 ** 20;
const gibi = 2 ** 30;
/** What firmware and kernel keep of the memory that the instance type advertises. */
const lostMemoryShare = 0.06;
const defaultMaxPods = 110;

/** What the kubelet reports as the machine's own resources. */
export function capacityOf(machine: Machine, bootstrap: NodeBootstrap): Resources {
  const memory = Math.floor(machine.memoryMiB * (1 - lostMemoryShare) * 1024) * 1024;
  return {
    cpu: machine.cpuCount * 1000,
    memory,
    'ephemeral-storage': machine.rootVolumeGiB * gibi,
    pods: bootstrap.maxPods ?? defaultMaxPods,
    ...(machine.nvidiaGpuCount > 0 && { 'nvidia.com/gpu': machine.nvidiaGpuCount }),
  };
}

/** Capacity less what is reserved for the kubelet, for the system, and before eviction. */
export function allocatableOf(machine: Machine, bootstrap: NodeBootstrap): Resources {
  const capacity = capacityOf(machine, bootstrap);
  const reserved = [
    {
      ...defaultKubeReserved(capacity, podsReservedFor(machine, bootstrap)),
      ...parsed(bootstrap.kubeReserved),
    },
    parsed(bootstrap.systemReserved),
    evictionReserve(capacity, bootstrap.evictionHard ?? {}),
  ];
  const rest: Record<string, number> = { ...capacity };
  for (const amounts of reserved) {
    for (const [name, amount] of Object.entries(amounts)) {
      if (rest[name] !== undefined) rest[name] = Math.max(0, rest[name] - amount);
    }
  }
  return rest;
}

/** As Kubernetes writes it. Memory is in Ki, as kubelets report it. */
export function resourceList(resources: Resources): ResourceList {
  const entries = Object.entries(resources).map(([name, amount]) => [
    name,
    name === 'memory' ? `${Math.floor(amount / 1024)}Ki` : formatAmount(name, amount),
  ]);
  return Object.fromEntries(entries);
}

/** Amazon Linux reserves for as many pods as the network has room for, whatever `maxPods` says. */
function podsReservedFor(machine: Machine, { family, maxPods }: NodeBootstrap): number {
  const isAmazonLinux = family === 'al2023' || family === 'al2';
  return isAmazonLinux ? machine.podsByNetwork : (maxPods ?? defaultMaxPods);
}

/** The formulas that EKS images use when the user data says nothing. */
function defaultKubeReserved(capacity: Resources, pods: number): Resources {
  return {
    cpu: reservedCpuMillis(capacity.cpu ?? 0),
    memory: (255 + 11 * pods) * mebi,
    'ephemeral-storage': gibi,
  };
}

const cpuBands = [
  { from: 0, to: 1000, share: 0.06 },
  { from: 1000, to: 2000, share: 0.01 },
  { from: 2000, to: 4000, share: 0.005 },
  { from: 4000, to: Number.POSITIVE_INFINITY, share: 0.0025 },
];

function reservedCpuMillis(cpuMillis: number): number {
  return cpuBands.reduce((sum, { from, to, share }) => {
    const within = Math.max(0, Math.min(cpuMillis, to) - from);
    return sum + Math.floor(within * share);
  }, 0);
}

function evictionReserve(
  capacity: Resources,
  thresholds: Readonly<Record<string, string>>,
): Resources {
  const memory = capacity.memory ?? 0;
  const storage = capacity['ephemeral-storage'] ?? 0;
  return {
    memory: threshold(thresholds['memory.available'] ?? '100Mi', memory),
    'ephemeral-storage': threshold(thresholds['nodefs.available'] ?? '10%', storage),
  };
}

/** A share of the total, or an amount; 100% switches the signal off. */
function threshold(text: string, total: number): number {
  const percent = /^([\d.]+)%$/.exec(text.trim())?.[1];
  if (percent === undefined) return parsed({ memory: text }).memory ?? 0;
  return Number(percent) >= 100 ? 0 : Math.ceil((Number(percent) / 100) * total);
}

function parsed(list: Readonly<Record<string, string>> | undefined): Resources {
  const amounts: Record<string, number> = {};
  for (const [name, text] of Object.entries(list ?? {})) {
    const amount = parseAmount(name, text);
    if (typeof amount === 'number') amounts[name] = amount;
  }
  return amounts;
}
