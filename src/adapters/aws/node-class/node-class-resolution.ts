import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { CloudError, type NodeClassResolution } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import { bootstrapOf } from '../launch/launch-plan.ts';
import { userData, userDataLimitBytes } from '../user-data/user-data.ts';
import type { ClusterFacts } from './cluster.ts';
import { amiFamilyOf, type StatusImage } from './image-alias.ts';
import type { Images } from './images.ts';
import type { InstanceProfiles } from './instance-profiles.ts';
import type { SecurityGroups } from './security-groups.ts';
import type { Subnets } from './subnets.ts';
import { describeTags, firstRestrictedTag } from './tags.ts';

interface ResolutionParts {
  readonly cluster: () => Promise<ClusterFacts>;
  readonly subnets: Subnets;
  readonly securityGroups: SecurityGroups;
  readonly images: Images;
  readonly profiles: InstanceProfiles;
}

type StatusCondition = NodeClassResolution['conditions'][number];

/** One part of the class: what was found, or why not. */
type Found<T> =
  | { readonly value: T; readonly refusal?: undefined }
  | { readonly value?: undefined; readonly refusal: { reason: string; message: string } };

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
  const cluster = await found(parts.cluster);
  const [subnets, groups, images, profile] = await Promise.all([
    found(() => parts.subnets.find(nodeClass)).then((answer) =>
      nonEmpty(answer, 'SubnetsNotFound', `no subnet matches ${terms(spec.subnetSelectorTerms)}`),
    ),
    found(() => parts.securityGroups.find(nodeClass)).then((answer) =>
      nonEmpty(
        answer,
        'SecurityGroupsNotFound',
        `no security group matches ${terms(spec.securityGroupSelectorTerms)}`,
      ),
    ),
    findImages(parts, nodeClass, cluster),
    found(() => parts.profiles.ensure(nodeClass)),
  ]);
  const dependencies = [
    condition('AMIsReady', images),
    condition('SubnetsReady', subnets),
    condition('SecurityGroupsReady', groups),
    condition('InstanceProfileReady', profile),
  ];
  const validation = validate(context, { nodeClass, cluster, dependencies });
  return {
    status: {
      ...(subnets.value === undefined ? {} : { subnets: subnets.value }),
      ...(groups.value === undefined ? {} : { securityGroups: groups.value }),
      ...(images.value === undefined ? {} : { amis: images.value }),
      ...(profile.value === undefined ? {} : { instanceProfile: profile.value }),
    },
    conditions: [...dependencies, condition('ValidationSucceeded', validation)],
  };
}

async function findImages(
  parts: ResolutionParts,
  nodeClass: EC2NodeClass,
  cluster: Found<ClusterFacts>,
): Promise<Found<readonly StatusImage[]>> {
  if (cluster.value === undefined) return { refusal: cluster.refusal };
  const { version } = cluster.value;
  const images = await found(() => parts.images.find(nodeClass, version));
  const wanted = terms(nodeClass.spec.amiSelectorTerms);
  return nonEmpty(images, 'AMINotFound', `no image matches ${wanted} for Kubernetes ${version}`);
}

/** Failures that a person must repair are answers; all others are thrown. */
async function found<T>(find: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await find() };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.kind === 'throttled' || error.kind === 'unreachable') throw error;
    return { refusal: { reason: error.reason, message: error.message } };
  }
}

function nonEmpty<T>(
  answer: Found<readonly T[]>,
  reason: string,
  message: string,
): Found<readonly T[]> {
  return answer.value?.length === 0 ? { refusal: { reason, message } } : answer;
}

function condition(type: string, answer: Found<unknown>): StatusCondition {
  if (answer.refusal === undefined) return { type, status: 'True', reason: type, message: '' };
  return { type, status: 'False', ...answer.refusal };
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

/** What EC2 would refuse at launch and can be known now. */
function validate(
  context: AwsContext,
  given: {
    readonly nodeClass: EC2NodeClass;
    readonly cluster: Found<ClusterFacts>;
    readonly dependencies: readonly StatusCondition[];
  },
): Found<true> {
  const { nodeClass, cluster, dependencies } = given;
  const unready = dependencies.filter((one) => one.status !== 'True').map((one) => one.type);
  if (cluster.value === undefined)
    return refused('ClusterCIDRResolutionFailed', cluster.refusal.message);
  if (amiFamilyOf(nodeClass) === 'AL2023' && cluster.value.serviceCidr === undefined)
    return refused(
      'ClusterCIDRResolutionFailed',
      `the service range of cluster ${cluster.value.name} is unknown, and AL2023 needs it`,
    );
  if (unready.length > 0)
    return refused('DependenciesNotReady', `waiting for ${unready.join(', ')}`);
  const tag = firstRestrictedTag(nodeClass.spec.tags);
  if (tag !== undefined)
    return refused(
      'TagValidationFailed',
      `tag ${tag} is set by Karpenter; remove it from spec.tags`,
    );
  return checkUserData(context, nodeClass, cluster.value);
}

function checkUserData(
  context: AwsContext,
  nodeClass: EC2NodeClass,
  cluster: ClusterFacts,
): Found<true> {
  const claim = {
    metadata: { name: 'validation' },
    spec: {
      requirements: [],
      nodeClassRef: { group: '', kind: '', name: nodeClass.metadata.name },
    },
  };
  try {
    const bootstrap = {
      context,
      cluster,
      claim,
      nodeClass,
      capacityType: 'on-demand',
      maxPods: 110,
    };
    const bytes = Buffer.byteLength(userData(bootstrapOf(bootstrap)));
    if (bytes <= userDataLimitBytes) return { value: true };
    return refused(
      'UserDataSizeLimitExceeded',
      `user data is ${bytes} bytes, and EC2 takes ${userDataLimitBytes}; shorten spec.userData`,
    );
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return refused(error.reason, error.message);
  }
}

function refused(reason: string, message: string): Found<never> {
  return { refusal: { reason, message } };
}
