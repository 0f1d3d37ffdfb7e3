#!/usr/bin/env node
// Prints an instance-type file in the kwok provider's format, with two optional fields of ours that the original loader
// ignores: `allocatable` (resources after the kubelet's share) and `labels` (null = never on such a node).

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine, wholeNumber } from '../scripts/command-line.mjs';

const usage = `node bench/kwok-types.mjs [flags]

  --catalog FILE    the EC2 catalogue (data/ec2-catalog.json)
  --region R        of which region (us-west-2)
  --zones N         the first so many of its zones (all)
  --generic         the 144 made-up types of upstream instead
  --out FILE        write there instead of standard output`;

const ARCHITECTURES = { x86_64: 'amd64', arm64: 'arm64' };
const VM_MEMORY_OVERHEAD = 0.075;
const ROOT_VOLUME_GI = 20;
const AWS = 'karpenter.k8s.aws';

const requirement = (key, value) => ({ key, operator: 'In', values: [value] });
const kebab = (text) => text.toLowerCase().replaceAll(' ', '-');

function offering({ zone, zoneId, capacityType, price }) {
  const requirements = [
    requirement('karpenter.sh/capacity-type', capacityType),
    requirement('topology.kubernetes.io/zone', zone),
  ];
  if (zoneId) requirements.push(requirement('topology.k8s.aws/zone-id', zoneId));
  return { Price: price, Available: true, Requirements: requirements };
}

// The AWS provider's kube-reserved CPU: a falling share of each band of millicores, truncated band by band.
function reservedCpuM(vcpu) {
  const bands = [
    [0, 1000, 0.06],
    [1000, 2000, 0.01],
    [2000, 4000, 0.005],
    [4000, Infinity, 0.0025],
  ];
  const total = vcpu * 1000;
  return bands.reduce(
    (sum, [from, to, share]) =>
      sum + (total > from ? Math.trunc((Math.min(total, to) - from) * share) : 0),
    0,
  );
}

const eniPods = (type) =>
  type.defaultCardEni ? type.defaultCardEni * (type.ipv4PerEni - 1) + 2 : 0;

function resourcesOf(type, architecture) {
  const raw = type.memMiB - (architecture === 'arm64' ? 64 : 0);
  const memory = raw - Math.ceil(raw * VM_MEMORY_OVERHEAD);
  const pods = eniPods(type);
  const extended = extendedResources(type);
  const gibi = 1024 ** 3;
  const evictionBytes = Math.ceil(ROOT_VOLUME_GI * gibi * 0.1);
  return {
    capacity: {
      cpu: String(type.vcpu),
      memory: `${memory}Mi`,
      'ephemeral-storage': `${ROOT_VOLUME_GI}Gi`,
      pods: String(pods),
      ...extended,
    },
    allocatable: {
      cpu: `${type.vcpu * 1000 - reservedCpuM(type.vcpu)}m`,
      memory: `${memory - (11 * pods + 255) - 100}Mi`,
      'ephemeral-storage': String((ROOT_VOLUME_GI - 1) * gibi - evictionBytes),
      pods: String(pods),
      ...extended,
    },
  };
}

function extendedResources(type) {
  const resources = {};
  const add = (name, count) => {
    if (count > 0) resources[name] = String(count);
  };
  const gpusBy = (maker) =>
    type.gpus.filter((g) => g.maker === maker).reduce((sum, g) => sum + g.count, 0);
  add('nvidia.com/gpu', gpusBy('NVIDIA'));
  add('amd.com/gpu', gpusBy('AMD'));
  add('habana.ai/gaudi', gpusBy('Habana'));
  add(
    'aws.amazon.com/neuron',
    type.neuron.reduce((sum, n) => sum + n.count, 0),
  );
  add('vpc.amazonaws.com/efa', type.efaMax);
  add('vpc.amazonaws.com/pod-eni', type.trunking ? type.branchEni : 0);
  return resources;
}

function labelsOf(type) {
  const [family, size] = type.name.split('.');
  const [, category, , generation] = /(^[a-z]+)(-[0-9]+tb)?([0-9]+).*\./.exec(type.name) ?? [];
  const gpu = type.gpus.length === 1 ? type.gpus[0] : undefined;
  const accelerator =
    type.neuron.length === 1
      ? { name: type.neuron[0].name, maker: 'aws', count: type.neuron[0].count }
      : type.inference.length === 1 && type.neuron.length === 0
        ? type.inference[0]
        : undefined;
  const text = (value) => (value === undefined || value === null ? null : String(value));
  const local = {
    'instance-category': text(category),
    'instance-generation': text(generation),
    'instance-family': family,
    'instance-size': size,
    'instance-capability-flex': String(family.includes('-flex')),
    'instance-cpu': String(type.vcpu),
    'instance-cpu-manufacturer': type.cpuMaker ? kebab(type.cpuMaker) : null,
    'instance-cpu-sustained-clock-speed-mhz': type.clockMHz ? String(type.clockMHz) : null,
    'instance-memory': String(type.memMiB),
    'instance-ebs-bandwidth':
      type.ebsOptimized === 'default' && type.ebsMaxMbps ? String(type.ebsMaxMbps) : null,
    'instance-network-bandwidth': type.karpenterNetMbps > 0 ? String(type.karpenterNetMbps) : null,
    'instance-local-nvme':
      type.diskTotalGB > 0 && type.diskNvme !== 'unsupported' ? String(type.diskTotalGB) : null,
    'instance-hypervisor': type.hypervisor,
    'instance-encryption-in-transit-supported': String(Boolean(type.encryptInTransit)),
    'instance-gpu-name': gpu ? kebab(gpu.name) : null,
    'instance-gpu-manufacturer': gpu ? kebab(gpu.maker) : null,
    'instance-gpu-count': gpu ? String(gpu.count) : null,
    'instance-gpu-memory': gpu ? String(gpu.memoryMi) : null,
    'instance-accelerator-name': accelerator ? kebab(accelerator.name) : null,
    'instance-accelerator-manufacturer': accelerator ? kebab(accelerator.maker) : null,
    'instance-accelerator-count': accelerator ? String(accelerator.count) : null,
  };
  return Object.fromEntries(Object.entries(local).map(([key, value]) => [`${AWS}/${key}`, value]));
}

// The catalogue stores columns, with small dictionaries for repeated words and side tables for the rare parts.
function rowsOf(catalog) {
  const words = (column, value) => (catalog.dicts[column] ? catalog.dicts[column][value] : value);
  const rows = catalog.types.name.map((_, i) => {
    const row = Object.fromEntries(
      Object.entries(catalog.types).map(([column, values]) => [column, words(column, values[i])]),
    );
    return { ...row, gpus: [], neuron: [], inference: [] };
  });
  for (const [at, maker, name, count, memoryMi] of catalog.tables.gpus)
    rows[at].gpus.push({ maker, name, count, memoryMi });
  for (const [at, name, count] of catalog.tables.neuron) rows[at].neuron.push({ name, count });
  for (const [at, maker, name, count] of catalog.tables.inference)
    rows[at].inference.push({ maker, name, count });
  return rows;
}

function offeringsOf(region, at, zoneCount) {
  const zones = region.zones
    .slice(0, zoneCount)
    .map(([zone, zoneId], index) => ({ zone, zoneId, index }));
  return zones
    .filter(({ index }) => region.zoneMask[at] & (1 << index))
    .flatMap(({ zone, zoneId, index }) =>
      [
        { capacityType: 'spot', price: region.spot[index][at] },
        { capacityType: 'on-demand', price: region.onDemand[at] },
      ]
        .filter(({ price }) => price > 0)
        .map((o) => offering({ zone, zoneId, ...o })),
    );
}

export function fromCatalog(catalog, { region: name = 'us-west-2', zones = Infinity } = {}) {
  const region = catalog.regions.find((r) => r.name === name);
  if (!region) throw new Error(`region ${name} is not in the catalogue`);
  const rows = rowsOf(catalog);
  return region.type.flatMap((index, at) => {
    const type = rows[index];
    const architecture = type.arch.map((a) => ARCHITECTURES[a]).find(Boolean);
    const offerings = offeringsOf(region, at, zones);
    if (!architecture || offerings.length === 0 || type.name.startsWith('a1.')) return []; // a1 cannot run AL2023
    const { capacity, allocatable } = resourcesOf(type, architecture);
    return [
      {
        name: type.name,
        architecture,
        operatingSystems: ['linux'],
        resources: capacity,
        allocatable,
        labels: labelsOf(type),
        offerings,
      },
    ];
  });
}

// The types upstream's kwok provider ships with: no AWS names, four zones, spot at 70 %.
export function generic() {
  const families = { 2: 'c', 4: 's', 8: 'm' };
  const made = [];
  for (const cpu of [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256]) {
    for (const factor of [2, 4, 8]) {
      for (const os of ['linux', 'windows']) {
        for (const architecture of ['amd64', 'arm64'])
          made.push(genericType({ cpu, factor, os, architecture, family: families[factor] }));
      }
    }
  }
  return made;
}

function genericType({ cpu, factor, os, architecture, family }) {
  const price = 0.025 * cpu + (0.001 * cpu * factor * 1024 ** 3) / 1e9;
  const zones = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'];
  return {
    name: `${family}-${cpu}x-${architecture}-${os}`,
    architecture,
    operatingSystems: [os],
    resources: {
      cpu: String(cpu),
      memory: `${cpu * factor}Gi`,
      pods: String(Math.min(1024, cpu * 16)),
      'ephemeral-storage': '20Gi',
    },
    offerings: zones.flatMap((zone) => [
      offering({ zone, capacityType: 'spot', price: price * 0.7 }),
      offering({ zone, capacityType: 'on-demand', price }),
    ]),
  };
}

function main() {
  const { values } = readCommandLine(usage, {
    options: {
      catalog: {
        type: 'string',
        default: new URL('../data/ec2-catalog.json', import.meta.url).pathname,
      },
      region: { type: 'string', default: 'us-west-2' },
      zones: { type: 'string' },
      generic: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  const useGeneric = values.generic || !existsSync(values.catalog);
  const types = useGeneric
    ? generic()
    : fromCatalog(JSON.parse(readFileSync(values.catalog, 'utf8')), {
        region: values.region,
        zones: values.zones ? wholeNumber('--zones', values.zones, usage) : Infinity,
      });
  const text = `[\n${types.map((t) => JSON.stringify(t)).join(',\n')}\n]\n`;
  // The stream waits for a slow reader, where writing to the descriptor of a full pipe fails.
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
}

if (import.meta.main ?? process.argv[1]?.endsWith('kwok-types.mjs')) main();
