import { createAwsCaller } from '../../src/adapters/aws/calls/call.ts';
import type { AwsContext } from '../../src/adapters/aws/context.ts';
import {
  createPlacementGroups,
  type PlacementGroups,
} from '../../src/adapters/aws/placement/placement-groups.ts';
import {
  createReservations,
  type Reservations,
} from '../../src/adapters/aws/reservations/reservations.ts';
import type { AwsSettings } from '../../src/adapters/aws/settings.ts';
import { createInstanceTypes } from '../../src/adapters/aws/types/instance-types.ts';
import { LearnedMachines } from '../../src/adapters/aws/types/learned-machines.ts';
import { UnavailableOfferings } from '../../src/adapters/aws/types/unavailable-offerings.ts';
import {
  noZonalShifts,
  type ZonalShifts,
} from '../../src/adapters/aws/zonal-shift/zonal-shifts.ts';
import type { EC2NodeClass } from '../../src/api/karpenter/ec2-node-class.ts';
import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { Log, LogFields } from '../../src/ports/log.ts';
import { clusterName, type EmbeddedAws, embeddedAws } from './embedded-aws.ts';

/** Instance types of the adapter before the embedded endpoint, with every source in reach. */
export interface TypesUnderTest {
  readonly aws: EmbeddedAws;
  readonly context: AwsContext;
  readonly lines: readonly { readonly message: string; readonly fields: LogFields }[];
  readonly unavailable: UnavailableOfferings;
  readonly reservations: Reservations;
  readonly placementGroups: PlacementGroups;
  readonly learned: LearnedMachines;
  /** Lets time pass until the work is done. */
  settle<T>(work: Promise<T>): Promise<T>;
  list(nodeClass: EC2NodeClass): Promise<readonly InstanceType[]>;
  typeOf(nodeClass: EC2NodeClass, name: string): Promise<InstanceType>;
  offering(nodeClass: EC2NodeClass, key: string): Promise<Offering | undefined>;
}

// A region with few types, unless a test needs the rare ones.
const usualRegion = 'ap-east-1';

export function typesUnderTest(
  options: {
    readonly settings?: Partial<AwsSettings>;
    readonly shifts?: ZonalShifts;
    readonly aws?: EmbeddedAws;
  } = {},
): TypesUnderTest {
  const region = options.settings?.region ?? usualRegion;
  const aws = options.aws ?? embeddedAws({ region });
  const { clock } = aws;
  const lines: { message: string; fields: LogFields }[] = [];
  const keep = (message: string, fields: LogFields = {}): void => {
    lines.push({ message, fields });
  };
  const log: Log = { debug: () => {}, info: keep, error: keep, with: () => log };
  const context: AwsContext = {
    ...{ clients: aws, clock, log, metrics: undefined },
    caller: createAwsCaller({ clock, log }),
    settings: { clusterName, region, ...options.settings },
  };
  const unavailable = new UnavailableOfferings(clock, log);
  const reservations = createReservations(context);
  const placementGroups = createPlacementGroups(context);
  const learned = new LearnedMachines(clock);
  const types = createInstanceTypes(context, {
    ...{ unavailable, reservations, placementGroups, learned },
    shifts: options.shifts ?? noZonalShifts,
  });

  async function settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    await clock.runUntil(() => isDone, 3_600_000);
    return work;
  }

  async function typeOf(nodeClass: EC2NodeClass, name: string): Promise<InstanceType> {
    const found = (await settle(types.list(nodeClass))).find((type) => type.name === name);
    if (found === undefined) throw new Error(`${name} is not listed`);
    return found;
  }

  return {
    ...{ aws, context, lines, unavailable, reservations, placementGroups, learned, settle },
    list: (nodeClass) => settle(types.list(nodeClass)),
    typeOf,
    /** `m5.large/a/spot`: the type, the last letter of the zone, and how it is bought. */
    async offering(nodeClass, key) {
      const [name = '', zone = '', capacityType] = key.split('/');
      const { offerings } = await typeOf(nodeClass, name);
      return offerings.find((one) => one.zone.endsWith(zone) && one.capacityType === capacityType);
    },
  };
}

/** A class as it stands once it is resolved, in two zones of the region. */
export function aResolvedClass(
  given: {
    readonly region?: string;
    readonly spec?: Partial<EC2NodeClass['spec']>;
    readonly status?: Partial<NonNullable<EC2NodeClass['status']>>;
  } = {},
): EC2NodeClass {
  const { region = usualRegion } = given;
  const image = (id: string, arch: string) => ({
    id,
    requirements: [{ key: labels.arch, operator: 'In' as const, values: [arch] }],
  });
  return {
    metadata: { name: 'default', uid: 'class-1', generation: 1 },
    spec: {
      subnetSelectorTerms: [{ tags: { a: 'b' } }],
      securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      role: 'nodes',
      ...given.spec,
    },
    status: {
      subnets: [
        { id: 'subnet-a', zone: `${region}a`, zoneID: 'az-1' },
        { id: 'subnet-b', zone: `${region}b`, zoneID: 'az-2' },
      ],
      amis: [image('ami-a', 'amd64'), image('ami-b', 'arm64')],
      ...given.status,
    },
  };
}
