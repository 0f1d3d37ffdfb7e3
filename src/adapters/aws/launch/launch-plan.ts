import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { Reservation } from '../../../core/catalog/instance-type.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterFacts } from '../node-class/cluster.ts';
import { amiFamilyOf, imageVersionOf } from '../node-class/image-alias.ts';
import type { PlacementGroup } from '../placement/placement-groups.ts';
import { imageFor } from '../types/resolved-type.ts';
import { type Bootstrap, nodeLabels, nodeTaints } from '../user-data/bootstrap.ts';
import { userData } from '../user-data/user-data.ts';
import type { FleetGroup } from './fleet-request.ts';
import type { Candidate, LaunchChoice } from './launch-choice.ts';
import { templateData } from './launch-template-data.ts';
import type { WantedTemplate } from './launch-templates.ts';
import { placementOf, specialWishes } from './special-wishes.ts';

/** Candidates that boot the same image with the same user data, and the template that says so. */
interface PlannedGroup extends Omit<FleetGroup, 'templateName'> {
  readonly template: WantedTemplate;
}

/**
 * Machines differ in their image, in how many pods their network allows, in their fabric adapters
 * and in the reservation that they use, and all of it is part of the template; so there is one
 * template for each combination.
 */
export function planGroups(options: {
  readonly context: AwsContext;
  readonly cluster: ClusterFacts;
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly choice: LaunchChoice;
  readonly tags: Tags;
  /** Where the class wants its machines, if it names a group. */
  readonly placementGroup?: PlacementGroup | undefined;
}): readonly PlannedGroup[] {
  const { choice, claim, nodeClass, tags } = options;
  const wishes = specialWishes(claim);
  const groups = new Map<string, TemplateGroup>();
  for (const candidate of choice.candidates.flatMap(byReservation)) {
    const image = imageFor(candidate.type, nodeClass.status?.amis);
    if (image === undefined) continue;
    const maxPods = candidate.type.capacity.pods ?? 0;
    const reservation = candidate.offerings[0]?.reservation;
    const efaCount = wishes.efaCountOf(candidate.type);
    const key = `${image.id}/${maxPods}/${efaCount}/${reservation?.id ?? ''}`;
    const group = groups.get(key) ?? {
      ...{ imageId: image.id, maxPods, efaCount, reservation },
      candidates: [],
    };
    group.candidates.push(candidate);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ imageId, maxPods, efaCount, reservation, candidates }) => {
    const bootstrap = bootstrapOf({ ...options, capacityType: choice.capacityType, maxPods });
    const data = templateData({
      nodeClass,
      imageId,
      capacityType: choice.capacityType,
      tenancy: choice.tenancy,
      reservation,
      placement: placementOf(claim, options.placementGroup),
      isEnclave: wishes.isEnclave,
      efaCount,
      userData: userData(bootstrap),
      tags,
      isIpv6: bootstrap.clusterDns[0]?.includes(':') === true,
      region: options.context.settings.region,
    });
    return { imageId, candidates, template: { data, tags } };
  });
}

interface TemplateGroup {
  readonly imageId: string;
  readonly maxPods: number;
  readonly efaCount: number;
  readonly reservation: Reservation | undefined;
  readonly candidates: Candidate[];
}

/** One candidate for each reservation of its offerings; without any, the candidate itself. */
function byReservation({ type, offerings }: Candidate): readonly Candidate[] {
  const ids = new Set(offerings.map(({ reservation }) => reservation?.id));
  return [...ids].map((id) => ({
    type,
    offerings: offerings.filter(({ reservation }) => reservation?.id === id),
  }));
}

/** What a machine of this claim is told at boot. */
export function bootstrapOf(options: {
  readonly context: AwsContext;
  readonly cluster: ClusterFacts;
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly capacityType: string;
  readonly maxPods: number;
}): Bootstrap {
  const { claim, nodeClass, capacityType, maxPods } = options;
  const { kubelet, instanceStorePolicy } = nodeClass.spec;
  const family = amiFamilyOf(nodeClass);
  const found = options.context.settings.clusterDns;
  return {
    family,
    cluster: options.cluster,
    labels: nodeLabels({ claim, capacityType, family }),
    taints: nodeTaints(claim),
    maxPods,
    kubelet: kubelet ?? {},
    clusterDns: kubelet?.clusterDNS ?? (found === undefined ? [] : [found]),
    hasLocalRaid: instanceStorePolicy === 'RAID0',
    imageVersion: imageVersionOf(nodeClass),
    userData: nodeClass.spec.userData,
  };
}
