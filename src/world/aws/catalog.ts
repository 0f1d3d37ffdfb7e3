import { byName } from '../../core/text-order.ts';
import type { CatalogFile, NetworkCardRun, TypeColumn } from './catalog-format.ts';
import type {
  AcceleratorFacts,
  DiskFacts,
  InstanceTypeFacts,
  NetworkCardFacts,
} from './instance-type-facts.ts';
import { type RegionCatalog, regionCatalog } from './region-catalog.ts';

/** What EC2 sells, where and for how much. Immutable. */
export interface Catalog {
  /** Every instance type, by name. */
  readonly types: readonly InstanceTypeFacts[];
  type(name: string): InstanceTypeFacts | undefined;
  /** In the order of their names. */
  readonly regions: readonly RegionCatalog[];
  region(name: string): RegionCatalog | undefined;
}

/** Reads the catalogue, as text or already parsed. Throws when it is of another schema. */
export function loadCatalog(source: string | object): Catalog {
  const file = (typeof source === 'string' ? JSON.parse(source) : source) as CatalogFile;
  if (file.schema !== 1) throw new Error(`reading the EC2 catalogue: schema ${file.schema}`);
  const rows = file.types.name.map((_, row) => typeFacts(file, row));
  const types = rows.toSorted(byName);
  const typesByName = new Map(rows.map((facts) => [facts.name, facts]));
  const dedicatedMetal = new Map(
    file.tables.dedicatedMetal.map(([row, price]) => [rows[row]?.name ?? '', price]),
  );
  const regions = file.regions
    .map((region) => regionCatalog(region, rows, dedicatedMetal))
    .toSorted(byName);
  const regionByName = new Map(regions.map((region) => [region.name, region]));
  return {
    types,
    type: (name) => typesByName.get(name),
    regions,
    region: (name) => regionByName.get(name),
  };
}

function typeFacts(file: CatalogFile, row: number): InstanceTypeFacts {
  const number = (column: TypeColumn): number => file.types[column][row] ?? 0;
  const known = (column: TypeColumn): number | undefined => file.types[column][row] ?? undefined;
  const listed = (column: ListColumn): readonly string[] =>
    file.dicts[column][number(column)] ?? [];
  const word = (column: WordColumn): string => file.dicts[column][number(column)] ?? '';
  return {
    name: file.types.name[row] ?? '',
    architectures: listed('arch'),
    vcpus: number('vcpu'),
    cores: number('cores'),
    threadsPerCore: number('threadsPerCore'),
    memoryMiB: number('memMiB'),
    isCurrentGeneration: number('currentGen') === 1,
    isBareMetal: number('bareMetal') === 1,
    isBurstable: number('burstable') === 1,
    hasDedicatedHosts: number('dedicatedHost') === 1,
    hypervisor: word('hypervisor'),
    cpuManufacturer: word('cpuMaker'),
    clockMHz: known('clockMHz'),
    cpuFeatures: listed('cpuFeatures'),
    network: {
      performance: word('netPerf'),
      maximumInterfaces: number('maxEni'),
      ipv4PerInterface: number('ipv4PerEni'),
      ipv6PerInterface: number('ipv6PerEni'),
      defaultCardIndex: number('defaultCard'),
      cards: networkCards(file, row),
      ena: word('ena'),
      maximumEfaInterfaces: number('efaMax'),
      isEncryptedInTransit: number('encryptInTransit') === 1,
    },
    ebs: {
      optimizedSupport: word('ebsOptimized'),
      baselineMbps: known('ebsBaseMbps'),
      maximumMbps: known('ebsMaxMbps'),
      baselineIops: known('ebsBaseIops'),
      maximumIops: known('ebsMaxIops'),
      maximumVolumes: known('ebsMaxVolumes'),
      isLimitShared: number('ebsVolumesShared') === 1,
    },
    disk: diskFacts(number('diskTotalGB'), number('diskCount'), {
      type: word('diskType'),
      nvmeSupport: word('diskNvme'),
    }),
    usageClasses: listed('usage'),
    bootModes: listed('boot'),
    placementStrategies: listed('placement'),
    rootDeviceTypes: listed('rootDevice'),
    virtualizationTypes: listed('virtualization'),
    ...accelerators(file, row),
  };
}

type ListColumn =
  | 'arch'
  | 'cpuFeatures'
  | 'usage'
  | 'boot'
  | 'placement'
  | 'rootDevice'
  | 'virtualization';
type WordColumn =
  | 'hypervisor'
  | 'cpuMaker'
  | 'netPerf'
  | 'ena'
  | 'ebsOptimized'
  | 'diskType'
  | 'diskNvme';

function diskFacts(
  totalGB: number,
  count: number,
  kind: { readonly type: string; readonly nvmeSupport: string },
): DiskFacts | undefined {
  return count === 0 ? undefined : { totalGB, count, ...kind };
}

function networkCards(file: CatalogFile, row: number): readonly NetworkCardFacts[] {
  const column = file.types;
  const run: NetworkCardRun = [
    1,
    column.maxEni[row] ?? 0,
    column.netBaseMbps[row] ?? null,
    column.netPeakMbps[row] ?? null,
    0,
  ];
  const runs = file.tables.netCardRuns.find(([type]) => type === row)?.[1] ?? [run];
  return runs.flatMap(([cards, maximumInterfaces, base, peak]) =>
    Array.from({ length: cards }, () => ({
      maximumInterfaces,
      baselineMbps: base ?? undefined,
      peakMbps: peak ?? undefined,
    })),
  );
}

function accelerators(file: CatalogFile, row: number) {
  const tables = file.tables;
  const plain = (rows: CatalogFile['tables']['fpgas']): readonly AcceleratorFacts[] =>
    rows
      .filter(([type]) => type === row)
      .map(([, manufacturer, name, count, memoryMiB]) => ({
        manufacturer,
        name,
        count,
        memoryMiB,
      }));
  return {
    gpus: tables.gpus
      .filter(([type]) => type === row)
      .map(([, manufacturer, name, count, memoryMiB, partitionSize, logicalCount]) => ({
        manufacturer,
        name,
        count,
        memoryMiB,
        partitionSize,
        logicalCount,
      })),
    neuronDevices: tables.neuron
      .filter(([type]) => type === row)
      .map(([, name, count, coresPerDevice, coreVersion, memoryMiB]) => ({
        name,
        count,
        coresPerDevice,
        coreVersion,
        memoryMiB,
      })),
    inferenceAccelerators: plain(tables.inference),
    fpgas: plain(tables.fpgas),
    mediaAccelerators: plain(tables.media),
  };
}
