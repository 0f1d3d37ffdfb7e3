import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed } from '../wire/aws-error.ts';
import { flag, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { capacityReservationActions } from './capacity-reservations.ts';
import { fleetActions } from './fleets.ts';
import { imageActions } from './images.ts';
import { instanceTypeActions } from './instance-types.ts';
import { instanceActions } from './instances.ts';
import { launchTemplateActions } from './launch-templates.ts';
import { networkActions } from './network.ts';
import { placementGroupActions } from './placement-groups.ts';
import { regionActions } from './regions.ts';
import { runInstancesActions } from './run-instances.ts';
import { spotActions } from './spot.ts';
import { tagActions } from './tags.ts';
import { volumeActions } from './volumes.ts';

/** Every action of EC2 that this endpoint offers. */
export function ec2Actions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    ...describing({
      ...regionActions(cloud),
      ...networkActions(cloud),
      ...imageActions(cloud),
      ...instanceTypeActions(cloud),
      ...spotActions(cloud),
      ...volumeActions(cloud),
      ...nothingToDescribe(),
    }),
    ...launchTemplateActions(cloud),
    ...fleetActions(cloud),
    ...runInstancesActions(cloud),
    ...instanceActions(cloud),
    ...tagActions(cloud),
    ...capacityReservationActions(cloud),
    ...placementGroupActions(cloud),
  };
}

/** A dry run of a mere question has nothing to check but the permission, which everybody has. */
function describing(
  actions: Readonly<Record<string, QueryAction>>,
): Readonly<Record<string, QueryAction>> {
  return Object.fromEntries(
    Object.entries(actions).map(([name, action]): [string, QueryAction] => [
      name,
      (parameters, call) => {
        if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
        return action(parameters, call);
      },
    ]),
  );
}

/** Kinds of resources that the account has none of; asking for one by name is refused. */
function nothingToDescribe(): Readonly<Record<string, QueryAction>> {
  const none =
    (set: string, names: Readonly<Record<string, string>>): QueryAction =>
    (parameters) => {
      for (const [parameter, code] of Object.entries(names)) {
        const [named] = texts(parameters, parameter);
        if (named !== undefined) throw new AwsError(code, `'${named}' does not exist`);
      }
      return { [set]: [] };
    };
  return {
    DescribeKeyPairs: none('keySet', {
      KeyName: 'InvalidKeyPair.NotFound',
      KeyPairId: 'InvalidKeyPair.NotFound',
    }),
  };
}
