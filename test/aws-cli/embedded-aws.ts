import { readFileSync } from 'node:fs';
import { type AwsClients, createAwsClients } from '../../src/adapters/aws/calls/clients.ts';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { type Catalog, loadCatalog } from '../../src/world/aws/catalog.ts';
import {
  type AwsEndpoint,
  type AwsEndpointOptions,
  createAwsEndpoint,
} from '../../src/world/aws/endpoint.ts';
import type { Machine } from '../../src/world/machines/machine.ts';

let loaded: Catalog | undefined;

/** The catalogue that ships with the project, read once. */
export function shippedCatalog(): Catalog {
  const file = new URL('../../data/ec2-catalog.json', import.meta.url);
  loaded ??= loadCatalog(readFileSync(file, 'utf8'));
  return loaded;
}

const fewFamilies = ['c5', 'c6g', 'm5', 'm6g', 'r5', 'r6g', 't3'];

/** Some of its types, for tests that start many controllers and do not care which types there are. */
export function fewTypesCatalog(): Catalog {
  const whole = shippedCatalog();
  const isMeant = (type: string): boolean => fewFamilies.includes(type.split('.')[0] ?? '');
  const regions = whole.regions.map((region) => ({
    ...region,
    types: region.types.filter(({ name }) => isMeant(name)),
    has: (type: string) => isMeant(type) && region.has(type),
    isOffered: (type: string, zone: string) => isMeant(type) && region.isOffered(type, zone),
  }));
  return {
    types: whole.types.filter(({ name }) => isMeant(name)),
    type: (name) => (isMeant(name) ? whole.type(name) : undefined),
    regions,
    region: (name) => regions.find((one) => one.name === name),
  };
}

export const clusterName = 'demo';

export const clusterFacts = {
  name: clusterName,
  endpoint: 'https://127.0.0.1:6443',
  certificateAuthority: 'Q0E=',
  version: '1.36',
  serviceIpv4Cidr: '10.100.0.0/16',
};

export interface EmbeddedAws extends AwsClients {
  readonly endpoint: AwsEndpoint;
  readonly clock: VirtualClock;
  /** What came on and went off, in order: `+i-…` and `-i-…`. */
  readonly switched: readonly string[];
  readonly machines: () => readonly Machine[];
}

/** The endpoint on a virtual clock with the official SDK in front of it. */
export function embeddedAws(
  options: Partial<AwsEndpointOptions> & { seed?: number } = {},
): EmbeddedAws {
  const clock = createVirtualClock(Date.UTC(2026, 10, 16, 9));
  const region = options.region ?? 'us-east-1';
  const endpoint = createAwsEndpoint({
    clock,
    random: createSeededRandom(options.seed ?? 7),
    catalog: shippedCatalog(),
    speed: 1,
    cluster: () => clusterFacts,
    ...options,
    region,
  });
  const switched: string[] = [];
  endpoint.machines.subscribe({
    onStarted: (machine) => switched.push(`+${machine.instanceId}`),
    onStopped: (instanceId) => switched.push(`-${instanceId}`),
  });
  return {
    ...createAwsClients({ region, send: endpoint.handle }),
    endpoint,
    clock,
    switched,
    machines: () => endpoint.machines.running(),
  };
}

/** The code of the error that the call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return (error as Error).name;
  }
  return 'no refusal';
}
