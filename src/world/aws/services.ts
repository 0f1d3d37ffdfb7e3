import { zonalShiftRoutes } from './arc/routes.ts';
import type { Cloud } from './cloud.ts';
import { ec2Actions } from './ec2/actions.ts';
import { eksRoutes } from './eks/routes.ts';
import { iamActions } from './iam/actions.ts';
import { pricingActions } from './pricing/actions.ts';
import { sqsActions } from './sqs/actions.ts';
import { sqsQueryActions } from './sqs/query-actions.ts';
import type { Queues } from './sqs/queues.ts';
import { ssmActions } from './ssm/actions.ts';
import { stsActions } from './sts/actions.ts';
import { AwsError } from './wire/aws-error.ts';
import {
  ec2Service,
  type Gate,
  jsonService,
  queryService,
  restJsonService,
  type Service,
} from './wire/protocol.ts';
import { ec2Throttled, jsonThrottled, queryThrottled, type RateLimits } from './wire/rate-limit.ts';
import type { ServiceName } from './wire/service-call.ts';

/** All services behind one door, told apart by what the request is signed for. */
export function createServices(parts: {
  readonly cloud: Cloud;
  readonly limits: RateLimits;
  readonly queues: () => Queues;
}): Service {
  const services = table(parts);
  // What names no service at all is answered as AWS's query front door would.
  const unknown = queryService({ actions: {}, gate: () => undefined, namespace: '' });
  return (call) => (call.service === undefined ? unknown : services[call.service])(call);
}

function table({
  cloud,
  limits,
  queues,
}: Parameters<typeof createServices>[0]): Readonly<Record<ServiceName, Service>> {
  const gate =
    (throttled: () => AwsError, wrongRegion?: (region: string) => AwsError): Gate =>
    (action, call) => {
      if (wrongRegion !== undefined && call.region !== undefined && call.region !== cloud.region) {
        throw wrongRegion(cloud.region);
      }
      limits.admit(action, throttled);
    };
  const sqs = sqsActions(queues);
  const sqsJson = jsonService({
    actions: sqs,
    gate: gate(jsonThrottled, jsonWrongRegion),
    version: '1.0',
  });
  const sqsQuery = queryService({
    actions: sqsQueryActions(sqs),
    gate: gate(queryThrottled, queryWrongRegion),
    namespace: 'http://queue.amazonaws.com/doc/2012-11-05/',
  });
  return {
    ec2: ec2Service(ec2Actions(cloud), gate(ec2Throttled, ec2WrongRegion)),
    // IAM, STS and the price list are the same from everywhere.
    iam: queryService({
      actions: iamActions(cloud),
      gate: gate(queryThrottled),
      namespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
    }),
    sts: queryService({
      actions: stsActions(cloud),
      gate: gate(queryThrottled),
      namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    }),
    pricing: jsonService({
      actions: pricingActions(cloud.catalog),
      gate: gate(jsonThrottled),
      version: '1.1',
    }),
    ssm: jsonService({
      actions: ssmActions(cloud),
      gate: gate(jsonThrottled, jsonWrongRegion),
      version: '1.1',
    }),
    sqs: (call) => (call.target === undefined ? sqsQuery(call) : sqsJson(call)),
    eks: restJsonService(eksRoutes(cloud), gate(jsonThrottled, jsonWrongRegion)),
    'arc-zonal-shift': restJsonService(
      zonalShiftRoutes(cloud),
      gate(jsonThrottled, jsonWrongRegion),
    ),
  };
}

function ec2WrongRegion(region: string): AwsError {
  return new AwsError('AuthFailure', scopeText(region), { status: 401 });
}

function queryWrongRegion(region: string): AwsError {
  return new AwsError('SignatureDoesNotMatch', scopeText(region), { status: 403 });
}

function jsonWrongRegion(region: string): AwsError {
  return new AwsError('InvalidSignatureException', scopeText(region), { status: 403 });
}

function scopeText(region: string): string {
  return `Credential should be scoped to a valid region. This endpoint is in ${region}.`;
}
