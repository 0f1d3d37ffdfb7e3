// Reads an instance-type file in the kwok provider's format, with our optional fields `allocatable` and `labels`.

import { readFileSync } from 'node:fs';

const KUBE_RESERVED_CPU_M = 100;
const KUBE_RESERVED_MEMORY_MI = 10;
const BINARY = { Ki: 1 / 1024, Mi: 1, Gi: 1024, Ti: 1024 * 1024 };

export function cpuMillis(quantity) {
  const text = String(quantity);
  return text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
}

export function memoryMi(quantity) {
  const text = String(quantity);
  const unit = BINARY[text.slice(-2)];
  return unit ? Number(text.slice(0, -2)) * unit : Number(text) / (1024 * 1024);
}

function offeringOf(raw) {
  const value = (key) => raw.Requirements.find((r) => r.key === key)?.values[0];
  return {
    zone: value('topology.kubernetes.io/zone'),
    zoneId: value('topology.k8s.aws/zone-id'),
    capacityType: value('karpenter.sh/capacity-type'),
    price: raw.Price,
    available: raw.Available !== false,
  };
}

// Without our field the kwok provider's fixed overhead applies.
function allocatableOf(raw) {
  if (raw.allocatable) return raw.allocatable;
  return {
    ...raw.resources,
    cpu: `${cpuMillis(raw.resources.cpu) - KUBE_RESERVED_CPU_M}m`,
    memory: `${Math.floor(memoryMi(raw.resources.memory)) - KUBE_RESERVED_MEMORY_MI}Mi`,
  };
}

function typeOf(raw) {
  const allocatable = allocatableOf(raw);
  return {
    name: raw.name,
    architecture: raw.architecture,
    linux: raw.operatingSystems.includes('linux'),
    capacity: raw.resources,
    allocatable,
    cpuM: cpuMillis(allocatable.cpu),
    memoryMi: memoryMi(allocatable.memory),
    pods: Number(allocatable.pods ?? raw.resources.pods ?? 110),
    labels: raw.labels ?? {},
    offerings: raw.offerings.map(offeringOf),
  };
}

export const readTypes = (file) => typesFrom(JSON.parse(readFileSync(file, 'utf8')));

export const typesFrom = (raw) => raw.map(typeOf);

export function zonesOf(types) {
  return [...new Set(types.flatMap((t) => t.offerings.map((o) => o.zone)))].sort();
}

// What the AWS guide's first NodePool allows; a file without AWS labels is taken whole.
export function isGeneralPurpose(type) {
  if (!type.linux) return false;
  const category = type.labels['karpenter.k8s.aws/instance-category'];
  if (category === undefined) return true;
  return (
    ['c', 'm', 'r'].includes(category) &&
    Number(type.labels['karpenter.k8s.aws/instance-generation']) > 2
  );
}
