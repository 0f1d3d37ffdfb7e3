import type { Filter, Tag } from '@aws-sdk/client-ec2';
import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import { labels } from '../../../core/requirements/well-known.ts';

export const clusterNameTag = 'eks:eks-cluster-name';
const nodeClaimTag = 'karpenter.sh/nodeclaim';
/** Ours: names the claim an instance was bought for, so that it can be found again after a crash. */
export const claimUidTag = 'karpenter.sh/nodeclaim-uid';

const restricted = [
  /^eks:eks-cluster-name$/,
  /^kubernetes\.io\/cluster/,
  /^karpenter\.sh\/nodepool$/,
  /^karpenter\.sh\/nodeclaim(-uid)?$/,
  /^karpenter\.k8s\.aws\/ec2nodeclass$/,
];

/** The first tag of the node class, by name, that only the controller may set. */
export function firstRestrictedTag(tags: Tags | undefined): string | undefined {
  const keys = Object.keys(tags ?? {}).sort();
  return keys.find((key) => restricted.some((pattern) => pattern.test(key)));
}

/** The tags of everything launched for a pool: whose it is, and by which permissions it is guarded. */
export function launchTags(options: {
  readonly clusterName: string;
  readonly nodeClass: EC2NodeClass;
  readonly nodePool: string;
}): Tags {
  const { clusterName, nodeClass, nodePool } = options;
  return {
    ...nodeClass.spec.tags,
    [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    [labels.nodePool]: nodePool,
    [clusterNameTag]: clusterName,
    [labels.nodeClass]: nodeClass.metadata.name,
  };
}

/** What an instance carries beyond the tags it shares with its siblings. */
export function claimTags(claim: NodeClaim): Tags {
  return {
    [nodeClaimTag]: claim.metadata.name,
    [claimUidTag]: claim.metadata.uid ?? '',
  };
}

/** In the order of their keys, so that equal tags are equal bytes. */
export function tagList(tags: Tags): Tag[] {
  return Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));
}

export function tagRecord(tags: readonly Tag[] | undefined): Record<string, string> {
  return Object.fromEntries((tags ?? []).map((tag) => [tag.Key ?? '', tag.Value ?? '']));
}

/** EC2 filters that a selector term's tags stand for; `*` asks only that the key exists. */
export function tagFilters(tags: Tags): Filter[] {
  return tagList(tags).map(({ Key = '', Value = '' }) =>
    Value === '*' ? { Name: 'tag-key', Values: [Key] } : { Name: `tag:${Key}`, Values: [Value] },
  );
}

/** A selector term in words, for messages: `karpenter.sh/discovery=prod`. */
export function describeTags(tags: Tags): string {
  return tagList(tags)
    .map(({ Key, Value }) => `${Key}=${Value}`)
    .join(', ');
}
