import { type InstanceTypeInfo, paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MachineSettings } from '../../src/adapters/aws/types/machine-capacity.ts';
import { capacityOf } from '../../src/adapters/aws/types/machine-capacity.ts';
import { machineRequirements } from '../../src/adapters/aws/types/machine-labels.ts';
import { allocatableOf, overheadOf } from '../../src/adapters/aws/types/machine-overhead.ts';
import type { ResolvedCapacityReservation } from '../../src/api/karpenter/ec2-node-class.ts';
import type { Resources } from '../../src/core/quantity/resources.ts';
import { embeddedAws } from '../aws-cli/embedded-aws.ts';
import { askJudge, buildJudge } from './go-judge.ts';

interface Answer {
  readonly Type: string;
  readonly Labels: Readonly<Record<string, readonly string[] | null>>;
  readonly Absent: readonly string[] | null;
  readonly Capacity: Readonly<Record<string, string>>;
  readonly Allocatable: Readonly<Record<string, string>>;
}

type Case = Partial<MachineSettings> & {
  readonly name: string;
  readonly reservations?: readonly ResolvedCapacityReservation[];
};

const usual: MachineSettings = {
  family: 'AL2023',
  kubelet: undefined,
  blockDeviceMappings: undefined,
  instanceStorePolicy: undefined,
  networkInterfaces: undefined,
  vmMemoryOverheadPercent: 0.075,
  reservedEnis: 0,
};

const reservation: ResolvedCapacityReservation = {
  id: 'cr-1',
  ownerID: '123456789012',
  availabilityZone: 'us-east-1a',
  instanceType: 'm5.large',
  instanceMatchCriteria: 'open',
  reservationType: 'default',
  interruptible: false,
  state: 'active',
};

const disk = (deviceName: string, volumeSize: string, rootVolume = false) => ({
  ...{ deviceName, rootVolume },
  ebs: { volumeSize },
});

const cases: readonly Case[] = [
  { name: 'AL2023 as it is' },
  { name: 'AL2', family: 'AL2', vmMemoryOverheadPercent: 0.05 },
  { name: 'Bottlerocket', family: 'Bottlerocket' },
  { name: 'Bottlerocket with few pods', family: 'Bottlerocket', kubelet: { maxPods: 20 } },
  { name: 'Windows 2019', family: 'Windows2019' },
  { name: 'Windows 2022 with pods per core', family: 'Windows2022', kubelet: { podsPerCore: 3 } },
  { name: 'Windows 2025', family: 'Windows2025', blockDeviceMappings: [disk('/dev/sda1', '99Gi')] },
  { name: 'a custom image', family: 'Custom' },
  {
    name: 'a custom image with disks',
    family: 'Custom',
    blockDeviceMappings: [disk('/dev/xvda', '30Gi'), disk('/dev/xvdc', '77G')],
  },
  { name: 'most pods', kubelet: { maxPods: 250 } },
  { name: 'pods per core', kubelet: { podsPerCore: 7, maxPods: 110 } },
  { name: 'reserved interfaces', reservedEnis: 2 },
  { name: 'local disks', instanceStorePolicy: 'RAID0' },
  { name: 'a root volume', blockDeviceMappings: [disk('/dev/xvdb', '123Gi', true)] },
  { name: 'another device', blockDeviceMappings: [disk('/dev/xvdb', '123Gi')] },
  {
    name: 'reserves and thresholds',
    kubelet: {
      kubeReserved: { cpu: '250m', memory: '1500Mi', 'ephemeral-storage': '3Gi' },
      systemReserved: { cpu: '120m', memory: '300Mi', 'ephemeral-storage': '2Gi' },
      evictionHard: { 'memory.available': '5.5%', 'nodefs.available': '7.25%' },
      evictionSoft: { 'memory.available': '30%', 'nodefs.available': '40%' },
      evictionSoftGracePeriod: { 'memory.available': '1m', 'nodefs.available': '1m' },
    },
  },
  {
    name: 'thresholds as amounts, or none',
    kubelet: { evictionHard: { 'memory.available': '1Gi', 'nodefs.available': '100%' } },
  },
  {
    name: 'network interfaces of its own',
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' },
    ],
  },
  {
    name: 'capacity reservations',
    reservations: [
      reservation,
      { ...reservation, id: 'cr-2', reservationType: 'capacity-block', interruptible: true },
      { ...reservation, id: 'cr-3', instanceType: 'p5.48xlarge' },
    ],
  },
];

const region = 'us-east-1';
const zones = [
  { name: 'us-east-1a', id: 'use1-az1' },
  { name: 'us-east-1b', id: 'use1-az2' },
];
let judge = '';
let types: readonly InstanceTypeInfo[] = [];

beforeAll(async () => {
  judge = await buildJudge('instance-types');
  const pages = paginateDescribeInstanceTypes(
    { client: embeddedAws().ec2, pageSize: 100 },
    { Filters: [{ Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] }] },
  );
  const found: InstanceTypeInfo[] = [];
  for await (const page of pages) found.push(...(page.InstanceTypes ?? []));
  types = found;
});

describe('every instance type of us-east-1 is to pods what it is to the original', () => {
  test.each(cases)('$name', async ({ name: _, reservations = [], ...more }) => {
    const settings = { ...usual, ...more };
    const [said = '[]'] = await askJudge(judge, [question(settings, reservations)]);
    const theirs = (JSON.parse(said) as readonly Answer[]).map(normal);
    const ours = types.map((info) => resolved(info, settings, reservations));
    expect(theirs.length).toBeGreaterThan(1_200);
    const found = ours.flatMap((one, i) => differences(one, theirs[i]));
    expect(found.filter((line) => !isYounger.test(line))).toEqual([]);
    expect(found.length).toBeLessThan(250);
  });
});

/**
 * Our tables are of a later day than the judge's: it does not know the addresses and branch
 * interfaces of the youngest types, and has older numbers for the network of g7.
 */
const isYounger =
  /(vpc.amazonaws.com.(pod-eni|PrivateIPv4Address): \d+ not undefined|^g7\.\S+ labels \S+network-bandwidth: .*)$/;

/** One line for each field that differs. */
function differences(ours: Resolved, theirs: Resolved | undefined): readonly string[] {
  const [flatOurs, flatTheirs] = [flat(ours), flat(theirs)];
  return [...new Set([...flatOurs.keys(), ...flatTheirs.keys()])]
    .filter((field) => flatOurs.get(field) !== flatTheirs.get(field))
    .map((field) => `${ours.type} ${field}: ${flatOurs.get(field)} not ${flatTheirs.get(field)}`);
}

function flat(one: Resolved | undefined): ReadonlyMap<string, string> {
  const { labels = {}, capacity = {}, allocatable = {} } = one ?? {};
  return new Map(
    Object.entries({ labels, capacity, allocatable }).flatMap(([group, fields]) =>
      Object.entries(fields).map(([key, value]): [string, string] => [
        `${group} ${key}`,
        JSON.stringify(value),
      ]),
    ),
  );
}

function question(
  settings: MachineSettings,
  CapacityReservations: readonly ResolvedCapacityReservation[],
): object {
  return {
    Region: region,
    Zones: zones.map(({ name, id }) => ({ Zone: name, ZoneID: id })),
    Types: types,
    Settings: {
      Family: settings.family,
      Kubelet: settings.kubelet ?? {},
      BlockDeviceMappings: settings.blockDeviceMappings,
      InstanceStorePolicy: settings.instanceStorePolicy,
      NetworkInterfaces: settings.networkInterfaces,
      CapacityReservations,
      VMMemoryOverheadPercent: settings.vmMemoryOverheadPercent,
      ReservedENIs: settings.reservedEnis,
    },
  };
}

type Resolved = ReturnType<typeof normal>;

/** Newer than the judge's version. */
const younger = 'karpenter.k8s.aws/nitro-sandbox';

function resolved(
  info: InstanceTypeInfo,
  settings: MachineSettings,
  all: readonly ResolvedCapacityReservation[],
): Resolved {
  const reservations = all.filter((one) => one.instanceType === info.InstanceType);
  const { family } = settings;
  const requirements = machineRequirements(info, { region, family, zones, reservations });
  const capacity = capacityOf(info, settings);
  const sets = [...requirements].filter(([key]) => key !== younger);
  return {
    type: info.InstanceType ?? '',
    labels: sorted(sets.map(([key, set]) => [key, [...set.values].sort()])),
    capacity: amounts(capacity),
    allocatable: amounts(allocatableOf(capacity, overheadOf(info, settings))),
  };
}

function amounts(resources: Resources): Readonly<Record<string, number>> {
  return sorted(
    Object.entries(resources)
      .map(([name, amount]): [string, number] => [name, name === 'cpu' ? amount / 1_000 : amount])
      .filter(([, amount]) => amount > 0),
  );
}

function normal(answer: Answer) {
  const absent = (answer.Absent ?? []).map((key): [string, string[]] => [key, []]);
  const labels = Object.entries(answer.Labels).map(([key, values]): [string, string[]] => [
    key,
    [...(values ?? [])].sort(),
  ]);
  const numbers = (amounts: Readonly<Record<string, string>>) =>
    sorted(
      Object.entries(amounts)
        .map(([name, text]): [string, number] => [name, Number(text)])
        .filter(([, amount]) => amount > 0),
    );
  return {
    type: answer.Type,
    labels: sorted([...absent, ...labels]),
    capacity: numbers(answer.Capacity),
    allocatable: numbers(answer.Allocatable),
  };
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
