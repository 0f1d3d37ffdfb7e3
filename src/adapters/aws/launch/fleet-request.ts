import type {
  CreateFleetCommandInput,
  FleetLaunchTemplateConfigRequest,
  FleetLaunchTemplateOverridesRequest,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import { claimTags, tagList } from '../node-class/tags.ts';
import type { Candidate } from './launch-choice.ts';

/** Candidates that share a launch template. */
export interface FleetGroup {
  readonly templateName: string;
  readonly imageId: string;
  readonly candidates: readonly Candidate[];
}

/** An instant fleet of one machine: every type and subnet that would do, and EC2 picks. */
export function fleetRequest(options: {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly capacityType: 'on-demand' | 'spot';
  readonly groups: readonly FleetGroup[];
  readonly subnetByZone: ReadonlyMap<string, { readonly id: string }>;
  readonly tags: Tags;
  readonly clientToken: string;
}): CreateFleetCommandInput {
  const { claim, nodeClass, capacityType, tags } = options;
  const isSpot = capacityType === 'spot';
  const instanceTags = { ...tags, ...claimTags(claim) };
  return {
    Type: 'instant',
    ClientToken: options.clientToken,
    TargetCapacitySpecification: {
      DefaultTargetCapacityType: capacityType,
      TotalTargetCapacity: 1,
    },
    ...(isSpot
      ? { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' } }
      : { OnDemandOptions: { AllocationStrategy: 'lowest-price' } }),
    ...(nodeClass.spec.context === undefined ? {} : { Context: nodeClass.spec.context }),
    LaunchTemplateConfigs: options.groups.map((group) => configOf(group, options.subnetByZone)),
    TagSpecifications: [
      { ResourceType: 'instance', Tags: tagList(instanceTags) },
      { ResourceType: 'volume', Tags: tagList(tags) },
      { ResourceType: 'fleet', Tags: tagList(tags) },
    ],
  };
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
