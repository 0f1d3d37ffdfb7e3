import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import { bootstrapOf } from '../launch/launch-plan.ts';
import { templateData } from '../launch/launch-template-data.ts';
import type { WantedTemplate } from '../launch/launch-templates.ts';
import { type InstanceTypes, imageFor } from '../types/instance-types.ts';
import { userData, userDataLimitBytes } from '../user-data/user-data.ts';
import type { ClusterFacts } from './cluster.ts';
import type { DryRuns } from './dry-runs.ts';
import { type Finding, finding, refused, type StatusCondition } from './finding.ts';
import { amiFamilyOf } from './image-alias.ts';
import { firstRestrictedTag, launchTags } from './tags.ts';

interface ValidationParts {
  readonly dryRuns: DryRuns;
  readonly instanceTypes: InstanceTypes;
}

/** What EC2 would refuse at launch and can be known now, the cheap checks before the rehearsals. */
export async function validateNodeClass(
  context: AwsContext,
  parts: ValidationParts,
  given: {
    /** With what was just found in its status. */
    readonly nodeClass: EC2NodeClass;
    readonly cluster: Finding<ClusterFacts>;
    readonly dependencies: readonly StatusCondition[];
  },
): Promise<Finding<true>> {
  const { nodeClass, cluster, dependencies } = given;
  if (cluster.value === undefined)
    return refused('ClusterCIDRResolutionFailed', cluster.refusal.message);
  if (amiFamilyOf(nodeClass) === 'AL2023' && cluster.value.serviceCidr === undefined)
    return refused(
      'ClusterCIDRResolutionFailed',
      `the service range of cluster ${cluster.value.name} is unknown, and AL2023 needs it`,
    );
  const unready = dependencies.filter((one) => one.status !== 'True').map((one) => one.type);
  if (unready.length > 0)
    return refused('DependenciesNotReady', `waiting for ${unready.join(', ')}`);
  const tag = firstRestrictedTag(nodeClass.spec.tags);
  if (tag !== undefined)
    return refused(
      'TagValidationFailed',
      `tag ${tag} is set by Karpenter; remove it from spec.tags`,
    );
  return rehearse(context, parts, { nodeClass, cluster: cluster.value });
}

async function rehearse(
  context: AwsContext,
  parts: ValidationParts,
  given: { readonly nodeClass: EC2NodeClass; readonly cluster: ClusterFacts },
): Promise<Finding<true>> {
  const { nodeClass } = given;
  // Where the types cannot be listed there is no machine to rehearse with; pools tell why.
  const types = await finding(() => parts.instanceTypes.list(nodeClass));
  const type = typicalType(types.value ?? [], nodeClass);
  const template = templateOf(context, { ...given, type });
  if (template.refusal !== undefined) return template;
  // Without a machine that has an image there is nothing to rehearse; pools will say so.
  if (type === undefined) return { value: true };
  return parts.dryRuns.check({ nodeClass, type, template: template.value });
}

const usualTypes = ['m5.large', 'm6g.large'];

/** A type that every account knows, if the class has an image for it; else the first with one. */
function typicalType(
  types: readonly InstanceType[],
  nodeClass: EC2NodeClass,
): InstanceType | undefined {
  // Asked every minute of every class, so that a thousand types are not all looked at.
  const isBootable = (type: InstanceType): boolean =>
    imageFor(type, nodeClass.status?.amis) !== undefined;
  const usual = types.filter(({ name }) => usualTypes.includes(name));
  return usual.find(isBootable) ?? types.find(isBootable);
}

/** The template of a plain machine of this class; refused when its user data cannot be. */
function templateOf(
  context: AwsContext,
  given: {
    readonly nodeClass: EC2NodeClass;
    readonly cluster: ClusterFacts;
    readonly type: InstanceType | undefined;
  },
): Finding<WantedTemplate> {
  const { nodeClass, cluster, type } = given;
  const { clusterName, region } = context.settings;
  const tags = launchTags({ clusterName, nodeClass, nodePool: '' });
  const capacityType = 'on-demand';
  const image = type === undefined ? undefined : imageFor(type, nodeClass.status?.amis);
  try {
    const bootstrap = bootstrapOf({
      ...{ context, cluster, claim: exampleClaim(nodeClass), nodeClass, capacityType },
      maxPods: type?.capacity.pods ?? 110,
    });
    const text = userData(bootstrap);
    const bytes = Buffer.byteLength(text);
    if (bytes > userDataLimitBytes)
      return refused(
        'UserDataSizeLimitExceeded',
        `user data is ${bytes} bytes, and EC2 takes ${userDataLimitBytes}; shorten spec.userData`,
      );
    const isIpv6 = bootstrap.clusterDns[0]?.includes(':') === true;
    const data = templateData({
      ...{ nodeClass, capacityType, tags, region, isIpv6, userData: text },
      imageId: image?.id ?? '',
      tenancy: 'default',
      efaCount: 0,
    });
    return { value: { data, tags } };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return refused(error.reason, error.message);
  }
}

function exampleClaim(nodeClass: EC2NodeClass): NodeClaim {
  return {
    metadata: { name: 'validation' },
    spec: {
      requirements: [],
      nodeClassRef: {
        group: 'karpenter.k8s.aws',
        kind: 'EC2NodeClass',
        name: nodeClass.metadata.name,
      },
    },
  };
}
