import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../core/quantity/quantity.ts';
import { capacityOf, type MachineSettings } from './machine-capacity.ts';
import { allocatableOf, overheadOf } from './machine-overhead.ts';

const al2023: MachineSettings = {
  family: 'AL2023',
  kubelet: undefined,
  blockDeviceMappings: undefined,
  instanceStorePolicy: undefined,
  networkInterfaces: undefined,
  vmMemoryOverheadPercent: 0.075,
  reservedEnis: 0,
};

interface Machine {
  readonly name: string;
  readonly arch?: string;
  readonly cpus: number;
  readonly mib: number;
  readonly enis: number;
  readonly ips: number;
  readonly efa?: number;
  readonly gpu?: readonly [string, number];
  readonly neuron?: readonly [number, number];
  readonly diskGB?: number;
}

function infoOf(machine: Machine): InstanceTypeInfo {
  const { gpu, neuron, diskGB } = machine;
  return {
    InstanceType: machine.name as NonNullable<InstanceTypeInfo['InstanceType']>,
    ProcessorInfo: {
      SupportedArchitectures: [machine.arch === 'arm64' ? 'arm64' : 'x86_64'],
    },
    VCpuInfo: { DefaultVCpus: machine.cpus },
    MemoryInfo: { SizeInMiB: machine.mib },
    NetworkInfo: {
      // All cards together have more; pods get what the default card has.
      MaximumNetworkInterfaces: machine.enis * 4,
      Ipv4AddressesPerInterface: machine.ips,
      DefaultNetworkCardIndex: 0,
      NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: machine.enis }],
      EfaInfo: { MaximumEfaInterfaces: machine.efa ?? 0 },
    },
    ...(diskGB === undefined ? {} : { InstanceStorageInfo: { TotalSizeInGB: diskGB } }),
    ...(gpu === undefined ? {} : { GpuInfo: { Gpus: [{ Manufacturer: gpu[0], Count: gpu[1] }] } }),
    ...(neuron === undefined
      ? {}
      : { NeuronInfo: { NeuronDevices: [{ Count: neuron[0], CoreInfo: { Count: neuron[1] } }] } }),
  };
}

function allocatable(machine: Machine, settings: Partial<MachineSettings> = {}) {
  const info = infoOf(machine);
  const all = { ...al2023, ...settings };
  const left = allocatableOf(capacityOf(info, all), overheadOf(info, all));
  return Object.fromEntries(
    Object.entries(left).map(([name, amount]) => [name, formatAmount(name, amount)]),
  );
}

// What Karpenter's reference lists for AL2023 without block device mappings, but for the last two
// rows, which are worked out by hand.
const listed = `
  type                arch   cpus MiB      enis ips cpu     memory     pods branch
  m5.large            x86_64 2    8192     3    10  1930m   6903Mi     29   9
  a1.medium           arm64  1    2048     2    4   940m    1392Mi     8    10
  a1.large            arm64  2    4096     3    10  1930m   3055Mi     29   9
  a1.xlarge           arm64  4    8192     4    15  3920m   6525Mi     58   18
  a1.4xlarge          arm64  16   32768    8    30  15890m  27322Mi    234  54
  a1.metal            arm64  16   32768    8    30  15890m  27322Mi    234  54
  c1.medium           x86_64 2    1740     2    6   1930m   1122Mi     12   0
  c3.large            x86_64 2    3840     3    10  1930m   2878Mi     29   0
  c3.8xlarge          x86_64 32   61440    8    30  31850m  53903Mi    234  0
  c4.8xlarge          x86_64 36   61440    8    30  35840m  53903Mi    234  0
  m8gd.medium         arm64  1    4096     2    4   940m    3286Mi     8    4
  m8gd.16xlarge       arm64  64   262144   15   50  63770m  233962Mi   737  107
  m8gd.24xlarge       arm64  96   393216   15   50  95690m  355203Mi   737  107    efa=1
  m8gd.metal-48xl     arm64  192  786432   15   50  191450m 718928Mi   737  107    efa=1
  p3.2xlarge          x86_64 8    62464    4    15  7910m   56786Mi    58   0      gpu=NVIDIAx1
  p3.16xlarge         x86_64 64   499712   8    30  63770m  459304Mi   234  0      gpu=NVIDIAx8
  t4g.medium          arm64  2    4096     3    6   1930m   3187Mi     17   0
  t4g.large           arm64  2    8192     3    12  1930m   6778Mi     35   0
  trn1.2xlarge        x86_64 8    32768    4    15  7910m   29317Mi    58   17     neuron=1x2
  trn1.32xlarge       x86_64 128  524288   5    50  127610m 481894Mi   247  82     efa=8 neuron=16x2
  trn2.48xlarge       x86_64 192  2097152  2    50  191450m 1938410Mi  100  0      efa=16 neuron=16x8
  u-3tb1.56xlarge     x86_64 224  3145728  8    30  223370m 2906869Mi  234  6
  u-6tb1.112xlarge    x86_64 448  6291456  15   50  446810m 5811134Mi  737  0
  u7i-12tb.224xlarge  x86_64 896  12582912 15   50  893690m 11630731Mi 737  107    efa=1
  u7in-24tb.224xlarge x86_64 896  25165824 8    50  893690m 23273698Mi 394  106    efa=2
  g4ad.4xlarge        x86_64 16   65536    3    10  15890m  59946Mi    29   0      gpu=AMDx1
  dl1.24xlarge        x86_64 96   786432   15   50  95690m  718987Mi   737  0      gpu=Habanax8
`
  .trim()
  .split('\n')
  .slice(1)
  .map(readRow);

function readRow(line: string) {
  const [name = '', arch = '', cpus, mib, enis, ips, cpu, memory, pods, branch, ...rest] = line
    .trim()
    .split(/ +/);
  const extra = new Map(rest.map((field) => field.split('=') as [string, string]));
  const [maker, gpus] = extra.get('gpu')?.split('x') ?? [];
  const [devices, cores] = extra.get('neuron')?.split('x').map(Number) ?? [];
  const machine: Machine = {
    ...{ name, arch, cpus: Number(cpus), mib: Number(mib), enis: Number(enis), ips: Number(ips) },
    efa: Number(extra.get('efa') ?? 0),
    ...(maker === undefined ? {} : { gpu: [maker, Number(gpus)] }),
    ...(devices === undefined ? {} : { neuron: [devices, cores ?? 0] }),
  };
  return { name, machine, cpu, memory, pods, branch };
}

const gpuResource: Readonly<Record<string, string>> = {
  NVIDIA: 'nvidia.com/gpu',
  AMD: 'amd.com/gpu',
  Habana: 'habana.ai/gaudi',
};

describe('allocatable under AL2023 without mappings', () => {
  test.each(listed)('$name', ({ machine, cpu, memory, pods, branch }) => {
    const { efa, gpu, neuron } = machine;
    expect(allocatable(machine)).toEqual({
      ...{ cpu, memory, pods, 'ephemeral-storage': '17Gi' },
      ...(branch === '0' ? {} : { 'vpc.amazonaws.com/pod-eni': branch }),
      ...(efa === 0 ? {} : { 'vpc.amazonaws.com/efa': String(efa) }),
      ...(gpu === undefined ? {} : { [gpuResource[gpu[0]] ?? '']: String(gpu[1]) }),
      ...(neuron === undefined
        ? {}
        : {
            'aws.amazon.com/neuron': String(neuron[0]),
            'aws.amazon.com/neuroncore': String(neuron[0] * neuron[1]),
          }),
    });
  });
});

const m5Large: Machine = { name: 'm5.large', cpus: 2, mib: 8192, enis: 3, ips: 10, diskGB: 75 };
const mapping = (deviceName: string, volumeSize: string, rootVolume = false) => ({
  deviceName,
  rootVolume,
  ebs: { volumeSize },
});

describe('an m5.large under other settings', () => {
  test.each<{
    name: string;
    settings: Partial<MachineSettings>;
    expected: Readonly<Record<string, string>>;
  }>([
    {
      name: 'maxPods limits pods and leaves the memory reserve as it is',
      settings: { kubelet: { maxPods: 110 } },
      expected: { pods: '110', memory: '6903Mi' },
    },
    {
      name: 'Bottlerocket reserves memory by its pod limit',
      settings: { family: 'Bottlerocket', kubelet: { maxPods: 110 } },
      expected: { pods: '110', memory: '6012Mi' },
    },
    {
      name: 'podsPerCore lowers the limit',
      settings: { kubelet: { podsPerCore: 4 } },
      expected: { pods: '8' },
    },
    {
      name: 'Bottlerocket ignores podsPerCore',
      settings: { family: 'Bottlerocket', kubelet: { podsPerCore: 4 } },
      expected: { pods: '29' },
    },
    {
      name: 'reserved interfaces take pods away',
      settings: { reservedEnis: 1 },
      expected: { pods: '20', memory: '6903Mi' },
    },
    {
      name: 'Windows takes 110 pods whatever its network',
      settings: { family: 'Windows2022' },
      expected: { pods: '110' },
    },
    {
      name: 'reserves of the user replace ours, key by key',
      settings: { kubelet: { kubeReserved: { memory: '1Gi' }, systemReserved: { cpu: '100m' } } },
      expected: { cpu: '1830m', memory: '6453Mi', 'ephemeral-storage': '17Gi' },
    },
    {
      name: 'a percentage of memory is kept from eviction, rounded up',
      settings: { kubelet: { evictionHard: { 'memory.available': '10%' } } },
      expected: { memory: '6548671692' },
    },
    {
      name: 'an eviction signal at 100 % is switched off',
      settings: {
        kubelet: { evictionHard: { 'memory.available': '100%', 'nodefs.available': '100%' } },
      },
      expected: { memory: '7003Mi', 'ephemeral-storage': '19Gi' },
    },
    {
      name: 'local disks as RAID hold pods',
      settings: {
        instanceStorePolicy: 'RAID0',
        kubelet: {
          kubeReserved: { 'ephemeral-storage': '0' },
          evictionHard: { 'nodefs.available': '0%' },
        },
      },
      expected: { 'ephemeral-storage': '75000000000' },
    },
    {
      name: "the family's device decides the disk",
      settings: {
        blockDeviceMappings: [mapping('/dev/xvda', '100Gi'), mapping('/dev/xvdb', '1Ti')],
      },
      expected: { 'ephemeral-storage': '89Gi' },
    },
    {
      name: 'a root volume decides before the device',
      settings: {
        blockDeviceMappings: [mapping('/dev/xvda', '100Gi'), mapping('/dev/xvdb', '200Gi', true)],
      },
      expected: { 'ephemeral-storage': '179Gi' },
    },
    {
      name: 'custom images use their last mapping',
      settings: {
        family: 'Custom',
        blockDeviceMappings: [mapping('/dev/sda1', '100Gi'), mapping('/dev/sdb', '50Gi')],
      },
      expected: { 'ephemeral-storage': '44Gi' },
    },
  ])('$name', ({ settings, expected }) => {
    const found = allocatable(m5Large, settings);
    for (const [name, amount] of Object.entries(expected)) expect.soft(found[name]).toBe(amount);
  });
});
