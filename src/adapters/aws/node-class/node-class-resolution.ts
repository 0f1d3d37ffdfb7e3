import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClassResolution } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import type { PlacementGroup, PlacementGroups } from '../placement/placement-groups.ts';
import type { Reservations } from '../reservations/reservations.ts';
import type { InstanceTypes } from '../types/instance-types.ts';
import type { ClusterFacts } from './cluster.ts';
import type { DryRuns } from './dry-runs.ts';
import { conditionOf, type Finding, finding, nonEmpty, refused } from './finding.ts';
import type { StatusImage } from './image-alias.ts';
import type { Images } from './images.ts';
import type { InstanceProfiles } from './instance-profiles.ts';
import type { SecurityGroups } from './security-groups.ts';
import type { Subnets } from './subnets.ts';
import { describeTags } from './tags.ts';
import { validateNodeClass } from './validation.ts';

interface ResolutionParts {
  readonly cluster: () => Promise<ClusterFacts>;
  readonly subnets: Subnets;
  readonly securityGroups: SecurityGroups;
  readonly images: Images;
  readonly profiles: InstanceProfiles;
  readonly reservations: Reservations;
  readonly placementGroups: PlacementGroups;
  readonly instanceTypes: InstanceTypes;
  readonly dryRuns: DryRuns;
}

/**
 * Finds what the class selects. What a user can repair becomes a condition that says how;
 * throttling and outages reject, so that the last known state stays.
 */
export async function resolveNodeClass(
  context: AwsContext,
  parts: ResolutionParts,
  nodeClass: EC2NodeClass,
): Promise<NodeClassResolution> {
  const { spec } = nodeClass;
  const isReservable = context.settings.hasReservedCapacity !== false;
  const cluster = await finding(parts.cluster);
  const [subnets, groups, images, profile, reservations, placement] = await Promise.all([
    finding(() => parts.subnets.find(nodeClass)).then((answer) =>
      nonEmpty(answer, 'SubnetsNotFound', `no subnet matches ${terms(spec.subnetSelectorTerms)}`),
    ),
    finding(() => parts.securityGroups.find(nodeClass)).then((answer) =>
      nonEmpty(
        answer,
        'SecurityGroupsNotFound',
        `no security group matches ${terms(spec.securityGroupSelectorTerms)}`,
      ),
    ),
    findImages(parts, nodeClass, cluster),
    finding(() => parts.profiles.ensure(nodeClass)),
    isReservable ? finding(() => parts.reservations.find(nodeClass)) : undefined,
    findPlacement(parts, nodeClass),
  ]);
  const status = {
    ...(subnets.value === undefined ? {} : { subnets: subnets.value }),
    ...(groups.value === undefined ? {} : { securityGroups: groups.value }),
    ...(images.value === undefined ? {} : { amis: images.value }),
    ...((reservations?.value ?? []).length === 0
      ? {}
      : { capacityReservations: reservations?.value ?? [] }),
    ...(profile.value === undefined ? {} : { instanceProfile: profile.value }),
  };
  const dependencies = [
    conditionOf('AMIsReady', images),
    conditionOf('SubnetsReady', subnets),
    conditionOf('SecurityGroupsReady', groups),
    conditionOf('InstanceProfileReady', profile),
  ];
  const found = { ...nodeClass, status: { ...nodeClass.status, ...status } };
  const validation = await validateNodeClass(context, parts, {
    ...{ nodeClass: found, cluster, dependencies },
  });
  return {
    status,
    conditions: [
      ...dependencies,
      ...(reservations === undefined
        ? []
        : [conditionOf('CapacityReservationsReady', reservations)]),
      conditionOf('PlacementGroupReady', placement),
      conditionOf('ValidationSucceeded', validation),
    ],
  };
}

async function findImages(
  parts: ResolutionParts,
  nodeClass: EC2NodeClass,
  cluster: Finding<ClusterFacts>,
): Promise<Finding<readonly StatusImage[]>> {
  if (cluster.value === undefined) return { refusal: cluster.refusal };
  const { version } = cluster.value;
  const images = await finding(() => parts.images.find(nodeClass, version));
  const wanted = terms(nodeClass.spec.amiSelectorTerms);
  return nonEmpty(images, 'AMINotFound', `no image matches ${wanted} for Kubernetes ${version}`);
}

async function findPlacement(
  { placementGroups }: ResolutionParts,
  nodeClass: EC2NodeClass,
): Promise<Finding<PlacementGroup | undefined>> {
  const selector = nodeClass.spec.placementGroupSelector;
  if (selector === undefined) return { value: undefined };
  const answer = await finding(() => placementGroups.find(nodeClass));
  if (answer.refusal !== undefined)
    return refused('PlacementGroupResolutionFailed', answer.refusal.message);
  if (answer.value !== undefined) return answer;
  const wanted = selector.id === undefined ? `named ${selector.name}` : `with id ${selector.id}`;
  return refused(
    'PlacementGroupNotFound',
    `no placement group ${wanted} is available; create it or correct spec.placementGroupSelector`,
  );
}

/** Selector terms as a person wrote them: `karpenter.sh/discovery=prod or id subnet-1`. */
function terms(list: readonly object[]): string {
  const texts = list.map((term) =>
    Object.entries(term)
      .map(([field, value]) =>
        field === 'tags' ? `tags ${describeTags(value)}` : `${field} ${String(value)}`,
      )
      .join(' and '),
  );
  return `${texts.join(', or ')}; correct the selector or tag the resource`;
}
