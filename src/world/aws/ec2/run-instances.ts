import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed, invalidParameter } from '../wire/aws-error.ts';
import {
  child,
  flag,
  integer,
  noParameters,
  overlay,
  type Parameters,
  text,
} from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { ClientTokens } from './idempotency.ts';
import type { Instance, LaunchOrder } from './instance.ts';
import { reservationXml } from './instance-xml.ts';
import {
  capacityFor,
  offerOfLaunch,
  type Refusal,
  type Resolved,
  resolveLaunch,
} from './launch-check.ts';
import {
  mergeTagSpecifications,
  readLaunchSpecification,
  readTagSpecifications,
} from './launch-specification.ts';
import { checkVersion } from './launch-template-store.ts';

export function runInstancesActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  const tokens = new ClientTokens<readonly Instance[]>(cloud.clock);
  return {
    RunInstances: (parameters) => {
      const instances = tokens.once(parameters, () => runInstances(cloud, parameters));
      if (instances.every((instance) => cloud.instances.get(instance.id) === undefined)) {
        throw new AwsError(
          'IdempotentInstanceTerminated',
          'The client token was used for instances that have been terminated.',
        );
      }
      return reservationXml(cloud, instances);
    },
  };
}

function runInstances(cloud: Cloud, parameters: Parameters): readonly Instance[] {
  const minimum = integer(parameters, 'MinCount') ?? 1;
  const maximum = integer(parameters, 'MaxCount') ?? 1;
  if (minimum < 1 || maximum < minimum) {
    throw invalidParameter(`Invalid value '${minimum}' for MinCount with MaxCount '${maximum}'.`);
  }
  const template = templateData(cloud, parameters);
  const specification = readLaunchSpecification(overlay(template, parameters));
  const capacityType = specification.marketType === 'spot' ? 'spot' : 'on-demand';
  const launch = resolveLaunch(cloud, specification, capacityType);
  if (launch.kind === 'refused') throw refusalError(launch);
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  const tags = mergeTagSpecifications(
    readTagSpecifications(template),
    readTagSpecifications(parameters),
  );
  return buyTogether(cloud, {
    launch,
    minimum,
    maximum,
    extras: { tags, clientToken: text(parameters, 'ClientToken') ?? '' },
  });
}

function templateData(cloud: Cloud, parameters: Parameters): Parameters {
  const reference = child(parameters, 'LaunchTemplate');
  if (Object.keys(reference).length === 0) return noParameters;
  checkVersion(text(reference, 'Version'));
  return cloud.templates.required(reference).data;
}

interface Purchase {
  readonly launch: Resolved;
  readonly minimum: number;
  readonly maximum: number;
  readonly extras: Pick<LaunchOrder, 'tags' | 'clientToken'>;
}

/** As many as can be had up to the maximum, or the refusal when even the minimum cannot. */
function buyTogether(cloud: Cloud, purchase: Purchase): readonly Instance[] {
  const { kind: _, placementGroup: __, ...order } = purchase.launch;
  for (let count = purchase.maximum; ; count--) {
    const capacity = capacityFor(cloud, purchase.launch, count);
    if (capacity.kind === 'refused') {
      if (count > purchase.minimum) continue;
      throw refusalError(capacity);
    }
    const { terms } = capacity;
    if (terms.capacityReservationId === undefined)
      cloud.shortages.take(offerOfLaunch(purchase.launch), count);
    return cloud.instances.launch(
      Array.from({ length: count }, () => ({ ...order, ...purchase.extras, ...terms })),
    );
  }
}

function refusalError(refusal: Refusal): AwsError {
  const isServerSide = refusal.code === 'InsufficientInstanceCapacity';
  return new AwsError(refusal.code, refusal.message, { status: isServerSide ? 500 : 400 });
}
