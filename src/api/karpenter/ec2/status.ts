import { plainConditionList } from '../../schema/condition-list.ts';
import { resolvedRequirementList } from '../../schema/requirement-list.ts';
import {
  dateTime,
  defaulted,
  described,
  flag,
  list,
  object,
  oneOf,
  optional,
  text,
} from '../../schema/vocabulary.ts';

/** What the selector terms of an EC2NodeClass found. */

export const resolvedSubnet = object({
  id: described('Its id.', text()),
  zone: described('Its availability zone.', text()),
  zoneID: optional(described('The id of the zone, the same in every account.', text())),
});

export const resolvedSecurityGroup = object({
  id: described('Its id.', text()),
  name: optional(described('Its name.', text())),
});

export const resolvedImage = object({
  id: described('Its id.', text()),
  name: optional(described('Its name.', text())),
  deprecated: optional(described('Whether its owner has deprecated it.', flag())),
  requirements: described('Which machines can boot it.', resolvedRequirementList),
});

export const resolvedCapacityReservation = object({
  id: described('Its id.', text({ pattern: '^cr-[0-9a-z]+$' })),
  ownerID: described('The account that owns it.', text({ pattern: '^[0-9]{12}$' })),
  availabilityZone: described('The zone it is in.', text()),
  instanceType: described('The instance type it is for.', text()),
  instanceMatchCriteria: described(
    'Whether any matching instance uses it, or only one that asks for it.',
    oneOf(['open', 'targeted']),
  ),
  reservationType: optional(
    defaulted(
      'default',
      described('A plain reservation or a capacity block.', oneOf(['default', 'capacity-block'])),
    ),
  ),
  interruptible: optional(described('Whether EC2 may take the capacity back.', flag())),
  endTime: optional(described('When it ends, if it does.', dateTime())),
  state: optional(
    defaulted(
      'active',
      described('Whether it may be used, or is about to end.', oneOf(['active', 'expiring'])),
    ),
  ),
});

export const ec2NodeClassStatus = object({
  subnets: optional(
    described('The subnets found, the one with most free addresses first.', list(resolvedSubnet)),
  ),
  securityGroups: optional(described('The security groups found.', list(resolvedSecurityGroup))),
  amis: optional(described('The images found, the newest first.', list(resolvedImage))),
  capacityReservations: optional(
    described('The capacity reservations found.', list(resolvedCapacityReservation)),
  ),
  instanceProfile: optional(described('The instance profile that machines get.', text())),
  conditions: optional(plainConditionList()),
});
