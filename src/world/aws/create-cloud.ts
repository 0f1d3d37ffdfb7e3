import { type Account, seedAccount } from './account.ts';
import type { Cloud } from './cloud.ts';
import { CloudTime } from './cloud-time.ts';
import { AddressBook } from './ec2/address-book.ts';
import { CapacityReservations } from './ec2/capacity-reservation-store.ts';
import { isAlive } from './ec2/instance.ts';
import { InstanceRoom } from './ec2/instance-room.ts';
import { LaunchTemplates } from './ec2/launch-template-store.ts';
import { PlacementGroups } from './ec2/placement-group-store.ts';
import { TagStore } from './ec2/tag-store.ts';
import type { AwsEndpointOptions } from './endpoint.ts';
import { EventBridge } from './event-bridge.ts';
import { InstanceProfiles } from './iam/instance-profiles.ts';
import { Ledger } from './market/ledger.ts';
import { createMarket, type Market } from './market/market.ts';
import { Prices } from './market/prices.ts';
import { reserve } from './market/reserve.ts';
import { type Quotas, Shortages } from './market/shortages.ts';
import type { RegionCatalog } from './region-catalog.ts';
import { Queues } from './sqs/queues.ts';
import { RateLimits } from './wire/rate-limit.ts';

interface CreatedCloud {
  readonly cloud: Cloud;
  readonly market: Market;
  readonly limits: RateLimits;
  readonly queues: () => Queues;
}

/** Events are of no use to anybody who has not looked at them after this long. */
const interruptionRetentionMs = 300_000;

/** Puts the parts of the cloud together. */
export function createCloud(options: AwsEndpointOptions): CreatedCloud {
  const { clock, random, region, catalog, cluster } = options;
  const accountId = options.accountId ?? '123456789012';
  const offers = requireRegion(options);
  const time = new CloudTime(clock, options.speed);
  const tags = new TagStore();
  const addresses = new AddressBook();
  const prices = new Prices(offers, time);
  const shortages = new Shortages();
  const quotas: Quotas = {};
  const zonalShifts = new Map<string, number>();
  const ledger = new Ledger(time, prices);
  const limits = new RateLimits(clock);
  const queues = once(() => {
    const made = new Queues({ accountId, region, clock, random });
    made.ensure(cluster().name, { retentionMs: interruptionRetentionMs });
    return made;
  });
  const deliver = (body: string): void => {
    queues().ensure(cluster().name).send(body);
  };
  const events = new EventBridge({ time, random, accountId, region, deliver });
  const instances = new InstanceRoom({ time, random, region, addresses, tags, ledger, events });
  const reservations = new CapacityReservations(
    (id) =>
      instances.all().filter((one) => isAlive(one) && one.order.capacityReservationId === id)
        .length,
  );
  const account = once(() =>
    seedTags(seedAccount({ id: accountId, clusterName: cluster().name, offers }), tags),
  );
  const cloud: Cloud = {
    clock,
    random,
    time,
    startedAtMs: clock.nowMs(),
    region,
    accountId,
    catalog,
    offers,
    cluster,
    account,
    tags,
    addresses,
    instances,
    templates: new LaunchTemplates(),
    reservations,
    placementGroups: new PlacementGroups(),
    profiles: once(() => seedProfiles(account(), clock.nowMs())),
    prices,
    shortages,
    quotas,
    zonalShifts,
  };
  const market = createMarket({
    time,
    random,
    prices,
    shortages,
    quotas,
    ledger,
    limits,
    instances,
    reserve: (wish) => reserve(cloud, wish),
    zonalShifts,
  });
  return { cloud, market, limits, queues };
}

function requireRegion({ catalog, region }: AwsEndpointOptions): RegionCatalog {
  const offers = catalog.region(region);
  if (offers === undefined) {
    const known = catalog.regions.map(({ name }) => name).join(', ');
    throw new Error(`creating the AWS endpoint: unknown region ${region}; known are ${known}`);
  }
  return offers;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function seedTags(account: Account, tags: TagStore): Account {
  tags.put(account.vpc.id, account.vpc.tags);
  for (const subnet of account.subnets) tags.put(subnet.id, subnet.tags);
  for (const group of account.securityGroups) tags.put(group.id, group.tags);
  return account;
}

function seedProfiles(account: Account, nowMs: number): InstanceProfiles {
  const profiles = new InstanceProfiles(account.id);
  const { name, roleName } = account.systemInstanceProfile;
  profiles.create({ name, path: '/', tags: {}, nowMs });
  const role = account.roles.find((candidate) => candidate.name === roleName);
  if (role !== undefined) profiles.addRole(name, role);
  return profiles;
}
