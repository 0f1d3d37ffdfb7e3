import {
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  type InstanceTypeInfo,
} from '@aws-sdk/client-ec2';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { Refreshed } from '../calls/refreshed.ts';
import { type AwsContext, hourMs } from '../context.ts';

/** What the region sells, as EC2 described it. Another description is another object; the same one is not. */
export interface DiscoveredMachines {
  /** By name. */
  readonly types: readonly InstanceTypeInfo[];
  readonly zonesOf: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Types and the zones that offer them, read page by page, again every twelve hours. */
export function createMachineDiscovery(context: AwsContext): () => Promise<DiscoveredMachines> {
  let known: { readonly machines: DiscoveredMachines; readonly text: string } | undefined;
  const machines = new Refreshed<DiscoveredMachines>({
    clock: context.clock,
    log: context.log,
    what: 'instance types',
    everyMs: 12 * hourMs,
    load: async () => {
      const found = await discover(context);
      const text = textOf(found);
      if (known !== undefined && known.text !== text)
        context.log.info('instance types have changed', { types: found.types.length });
      if (known?.text !== text) known = { machines: found, text };
      return known.machines;
    },
  });
  return () => machines.get();
}

function textOf({ types, zonesOf }: DiscoveredMachines): string {
  const zones = [...zonesOf].map(([type, set]) => `${type} ${[...set].sort().join(' ')}`).sort();
  return JSON.stringify([types, zones]);
}

async function discover(context: AwsContext): Promise<DiscoveredMachines> {
  const [types, zonesOf] = await Promise.all([describeTypes(context), describeOfferings(context)]);
  if (types.length === 0 || zonesOf.size === 0)
    throw new CloudError(
      'rejected',
      'InstanceTypeResolutionFailed',
      `describing instance types: EC2 lists none in ${context.settings.region}`,
    );
  types.sort((a, b) => ((a.InstanceType ?? '') < (b.InstanceType ?? '') ? -1 : 1));
  return { types, zonesOf };
}

async function describeTypes(context: AwsContext): Promise<InstanceTypeInfo[]> {
  const types: InstanceTypeInfo[] = [];
  let NextToken: string | undefined;
  do {
    const command = new DescribeInstanceTypesCommand({
      Filters: [
        { Name: 'supported-virtualization-type', Values: ['hvm'] },
        { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
      ],
      MaxResults: 100,
      NextToken,
    });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeInstanceTypes',
        priority: 'describe',
        doing: 'describing instance types',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    types.push(...(page.InstanceTypes ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return types;
}

async function describeOfferings(context: AwsContext): Promise<Map<string, Set<string>>> {
  const zonesOf = new Map<string, Set<string>>();
  let NextToken: string | undefined;
  do {
    const command = new DescribeInstanceTypeOfferingsCommand({
      LocationType: 'availability-zone',
      MaxResults: 1_000,
      NextToken,
    });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeInstanceTypeOfferings',
        priority: 'describe',
        doing: 'describing where instance types are offered',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    for (const { InstanceType: type, Location: zone } of page.InstanceTypeOfferings ?? []) {
      if (type === undefined || zone === undefined) continue;
      zonesOf.set(type, (zonesOf.get(type) ?? new Set()).add(zone));
    }
    NextToken = page.NextToken;
  } while (NextToken);
  return zonesOf;
}
