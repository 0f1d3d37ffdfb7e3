import type { Clock } from '../../ports/clock.ts';
import type { HttpHandler } from '../../ports/http.ts';
import type { Random } from '../../ports/random.ts';
import type { MachineRoom } from '../machines/machine.ts';
import type { Catalog } from './catalog.ts';
import type { ClusterFacts } from './cloud.ts';
import { createCloud } from './create-cloud.ts';
import type { Market } from './market/market.ts';
import { createServices } from './services.ts';
import { stableDigits } from './stable-id.ts';
import { readCall } from './wire/service-call.ts';

export interface AwsEndpointOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly catalog: Catalog;
  readonly region: string;
  readonly accountId?: string;
  /** How much faster than the clock the cloud lives: 10 boots a machine in 4.5 seconds. */
  readonly speed: number;
  /** Asked with every request and never before the first one. */
  readonly cluster: () => ClusterFacts;
}

/** EC2, SSM, IAM, EKS, SQS, Pricing and STS under one address. */
export interface AwsEndpoint {
  /** Answers in the wire format of the service that the request is signed for. */
  readonly handle: HttpHandler;
  readonly machines: MachineRoom;
  readonly market: Market;
}

/** Builds the endpoint. Throws when the catalogue does not know the region. */
export function createAwsEndpoint(options: AwsEndpointOptions): AwsEndpoint {
  const { cloud, market, limits, queues } = createCloud(options);
  const services = createServices({ cloud, limits, queues });
  let requests = 0;
  return {
    handle: (request) => {
      const call = readCall(request, requestId(requests++));
      return services(call);
    },
    machines: cloud.instances,
    market,
  };
}

/** Counted and not drawn: how many requests came must not change what happens. */
function requestId(number: number): string {
  const digits = stableDigits(`request/${number}`, 32);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}
