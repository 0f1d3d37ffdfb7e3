import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterFacts } from '../node-class/cluster.ts';
import { amiFamilyOf } from '../node-class/image-alias.ts';
import { imageFor } from '../types/instance-types.ts';
import { type Bootstrap, nodeLabels, nodeTaints } from '../user-data/bootstrap.ts';
import { userData } from '../user-data/user-data.ts';
import type { FleetGroup } from './fleet-request.ts';
import type { Candidate, LaunchChoice } from './launch-choice.ts';
import { templateData } from './launch-template-data.ts';
import type { WantedTemplate } from './launch-templates.ts';

/** Candidates that boot the same image with the same user data, and the template that says so. */
interface PlannedGroup extends Omit<FleetGroup, 'templateName'> {
  readonly template: WantedTemplate;
}

/**
 * Machines differ in their image and in how many pods their network allows, and both are part of
 * the template; so there is one template for each pair of the two.
 */
export function planGroups(options: {
  readonly context: AwsContext;
  readonly cluster: ClusterFacts;
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly choice: LaunchChoice;
  readonly tags: Tags;
}): readonly PlannedGroup[] {
  const { choice, nodeClass, tags } = options;
  const groups = new Map<string, { imageId: string; maxPods: number; candidates: Candidate[] }>();
  for (const candidate of choice.candidates) {
    const image = imageFor(candidate.type, nodeClass.status?.amis);
    if (image === undefined) continue;
    const maxPods = candidate.type.capacity.pods ?? 0;
    const key = `${image.id}/${maxPods}`;
    const group = groups.get(key) ?? { imageId: image.id, maxPods, candidates: [] };
    group.candidates.push(candidate);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ imageId, maxPods, candidates }) => {
    const bootstrap = bootstrapOf({ ...options, capacityType: choice.capacityType, maxPods });
    const data = templateData({
      nodeClass,
      imageId,
      capacityType: choice.capacityType,
      tenancy: choice.tenancy,
      userData: userData(bootstrap),
      tags,
      isIpv6: bootstrap.clusterDns[0]?.includes(':') === true,
      region: options.context.settings.region,
    });
    return { imageId, candidates, template: { data, tags } };
  });
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
    userData: nodeClass.spec.userData,
  };
}
