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
