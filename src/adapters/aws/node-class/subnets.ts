import { DescribeSubnetsCommand, type Filter, type Subnet } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { ExpiringMap, Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, minuteMs } from '../context.ts';
import { tagFilters } from './tags.ts';

export interface ZoneSubnet {
  readonly id: string;
  readonly zone: string;
  readonly zoneID?: string;
}

export interface Subnets {
  /** What the node class selects, the one with most free addresses first, then by id. */
  find(nodeClass: EC2NodeClass): Promise<readonly ZoneSubnet[]>;
  /** The best subnet of every zone for a launch; none of a zone whose subnets are all full. */
  choose(nodeClass: EC2NodeClass): ReadonlyMap<string, ZoneSubnet>;
  /** Counts addresses that a launch is about to use, until EC2 is asked again. */
  expectUse(subnetId: string, addresses: number): void;
  /** EC2 said that it has no address left. */
  markFull(subnetId: string): void;
  /** Changes when a subnet becomes full or is free again. */
  version(): number;
}

export function createSubnets(context: AwsContext): Subnets {
  const found = new Remembered<readonly ZoneSubnet[]>(context.clock, minuteMs);
  const full = new ExpiringMap<string, true>(context.clock, 3 * minuteMs);
  const freeAddresses = new Map<string, number>();

  async function describe(nodeClass: EC2NodeClass): Promise<readonly ZoneSubnet[]> {
    const queries = subnetQueries(nodeClass);
    const answers = await Promise.all(queries.map((filters) => query(context, filters)));
    const byId = new Map<string, Subnet>();
    for (const subnet of answers.flat()) if (subnet.SubnetId) byId.set(subnet.SubnetId, subnet);
    for (const [id, subnet] of byId) freeAddresses.set(id, subnet.AvailableIpAddressCount ?? 0);
    return [...byId.values()].sort(byFreeAddresses).map(zoneSubnet);
  }

  function choose(nodeClass: EC2NodeClass): ReadonlyMap<string, ZoneSubnet> {
    const best = new Map<string, ZoneSubnet>();
    for (const subnet of nodeClass.status?.subnets ?? []) {
      if (full.has(subnet.id)) continue;
      const rival = best.get(subnet.zone);
      if (rival !== undefined && free(rival.id) >= free(subnet.id)) continue;
      best.set(subnet.zone, subnet);
    }
    return best;
  }

  function free(id: string): number {
    return freeAddresses.get(id) ?? 0;
  }

  return {
    find: (nodeClass) => found.get(subnetKey(nodeClass), () => describe(nodeClass)),
    choose,
    expectUse: (id, addresses) => freeAddresses.set(id, Math.max(0, free(id) - addresses)),
    markFull: (id) => {
      freeAddresses.set(id, 0);
      full.set(id, true);
    },
    version: () => full.version(),
  };
}

function subnetKey(nodeClass: EC2NodeClass): string {
  return `${nodeClass.metadata.uid ?? nodeClass.metadata.name}/${JSON.stringify(nodeClass.spec.subnetSelectorTerms)}`;
}

/** All ids in one query, each set of tags in one of its own. */
function subnetQueries(nodeClass: EC2NodeClass): Filter[][] {
  const terms = nodeClass.spec.subnetSelectorTerms;
  const ids = terms.flatMap((term) => (term.id === undefined ? [] : [term.id]));
  const queries = terms.flatMap((term) =>
    term.id === undefined && term.tags !== undefined ? [tagFilters(term.tags)] : [],
  );
  if (ids.length > 0) queries.unshift([{ Name: 'subnet-id', Values: ids }]);
  return queries;
}

async function query(context: AwsContext, Filters: Filter[]): Promise<Subnet[]> {
  const subnets: Subnet[] = [];
  let NextToken: string | undefined;
  do {
    const input = { Filters, MaxResults: 500, NextToken };
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeSubnets',
        priority: 'describe',
        doing: 'finding subnets',
      },
      (abortSignal) => context.clients.ec2.send(new DescribeSubnetsCommand(input), { abortSignal }),
    );
    subnets.push(...(page.Subnets ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return subnets;
}

function byFreeAddresses(a: Subnet, b: Subnet): number {
  const more = (b.AvailableIpAddressCount ?? 0) - (a.AvailableIpAddressCount ?? 0);
  return more !== 0 ? more : (a.SubnetId ?? '') < (b.SubnetId ?? '') ? -1 : 1;
}

function zoneSubnet(subnet: Subnet): ZoneSubnet {
  const zoneID = subnet.AvailabilityZoneId;
  return {
    id: subnet.SubnetId ?? '',
    zone: subnet.AvailabilityZone ?? '',
    ...(zoneID === undefined ? {} : { zoneID }),
  };
}
