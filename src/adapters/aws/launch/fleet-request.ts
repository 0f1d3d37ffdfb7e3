import type {
  CreateFleetCommandInput,
  DefaultTargetCapacityType,
  FleetLaunchTemplateConfigRequest,
  FleetLaunchTemplateOverridesRequest,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import { tagList } from '../node-class/tags.ts';
import type { Candidate } from './launch-choice.ts';
import { type ReservationKind, reservationKind } from './reserved-candidates.ts';

/** Candidates that share a launch template. */
export interface FleetGroup {
  readonly templateName: string;
  readonly imageId: string;
  readonly candidates: readonly Candidate[];
}

/** An instant fleet: every type and subnet that would do, and EC2 picks. */
export function fleetRequest(options: {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly capacityType: CapacityType;
  readonly groups: readonly FleetGroup[];
  readonly subnetByZone: ReadonlyMap<string, { readonly id: string }>;
  readonly tags: Tags;
  readonly capacity: number;
  readonly findingTags: Tags;
  readonly clientToken: string;
}): CreateFleetCommandInput {
  const { claim, nodeClass, tags } = options;
  const isRelaxed = claim.metadata.annotations?.[minValuesRelaxed] === 'true';
  const instanceTags = { ...tags, ...options.findingTags };
  return {
    Type: 'instant',
    ClientToken: options.clientToken,
    ...wayOfBuying(options),
    ...(nodeClass.spec.context === undefined || isRelaxed
      ? {}
      : { Context: nodeClass.spec.context }),
    LaunchTemplateConfigs: options.groups.map((group) => configOf(group, options.subnetByZone)),
    TagSpecifications: [
      { ResourceType: 'instance', Tags: tagList(instanceTags) },
      { ResourceType: 'volume', Tags: tagList(tags) },
      { ResourceType: 'fleet', Tags: tagList(tags) },
    ],
  };
}

const minValuesRelaxed = 'karpenter.sh/nodeclaim-min-values-relaxed';
const priceOverlaid = 'karpenter.sh/price-overlay-applied';

type WayOfBuying = Pick<
  CreateFleetCommandInput,
  'TargetCapacitySpecification' | 'SpotOptions' | 'OnDemandOptions' | 'ReservedCapacityOptions'
>;

/** How many, how they are paid for, and by which rule EC2 picks. */
function wayOfBuying(options: Parameters<typeof fleetRequest>[0]): WayOfBuying {
  // Prices that the user has written over are told by priority, since EC2 does not know them.
  const isOverlaid = options.claim.metadata.annotations?.[priceOverlaid] !== undefined;
  const target = (type: DefaultTargetCapacityType) => ({
    DefaultTargetCapacityType: type,
    TotalTargetCapacity: options.capacity,
  });
  if (options.capacityType === 'spot')
    return {
      TargetCapacitySpecification: target('spot'),
      SpotOptions: {
        AllocationStrategy: isOverlaid
          ? 'capacity-optimized-prioritized'
          : 'price-capacity-optimized',
      },
    };
  const kind = kindOf(options.groups);
  if (kind === 'capacity-block') return { TargetCapacitySpecification: target('capacity-block') };
  if (kind === 'interruptible')
    return {
      TargetCapacitySpecification: target('reserved-capacity'),
      ReservedCapacityOptions: { ReservationTypes: ['interruptible-capacity-reservation'] },
    };
  return {
    TargetCapacitySpecification: target('on-demand'),
    OnDemandOptions: { AllocationStrategy: isOverlaid ? 'prioritized' : 'lowest-price' },
  };
}

function kindOf(groups: readonly FleetGroup[]): ReservationKind | undefined {
  const reservation = groups[0]?.candidates[0]?.offerings[0]?.reservation;
  return reservation === undefined ? undefined : reservationKind(reservation);
}

function configOf(
  group: FleetGroup,
  subnetByZone: ReadonlyMap<string, { readonly id: string }>,
): FleetLaunchTemplateConfigRequest {
  return {
    LaunchTemplateSpecification: { LaunchTemplateName: group.templateName, Version: '$Latest' },
    Overrides: group.candidates.flatMap(({ type, offerings }) =>
      offerings.flatMap((offering): FleetLaunchTemplateOverridesRequest[] => {
        const subnet = subnetByZone.get(offering.zone);
        if (subnet === undefined) return [];
        return [
          {
            InstanceType: type.name as NonNullable<
              FleetLaunchTemplateOverridesRequest['InstanceType']
            >,
            SubnetId: subnet.id,
            ImageId: group.imageId,
            AvailabilityZone: offering.zone,
            Priority: offering.priceUsdPerHour,
          },
        ];
      }),
    ),
  };
}
