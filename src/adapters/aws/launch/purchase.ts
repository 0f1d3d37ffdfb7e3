import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import { type LaunchGroup, launchGroupOf } from '../../../api/karpenter/launch-group.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import { groupTag } from '../instances/instance-record.ts';
import { claimTags, launchTags } from '../node-class/tags.ts';

/** What one attempt to launch knows and has learnt: one machine for a claim, or some for claims alike. */
export interface Purchase {
  /** The claim or, of a group, any one of them. */
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  /** The claim's uid, or the group's id: under this name nothing is bought twice. */
  readonly key: string;
  readonly group: LaunchGroup | undefined;
  readonly size: number;
  readonly signal: AbortSignal;
  readonly spotLimitUsdPerHour: number | undefined;
  /** For people: `launching nodeclaim web-7x2`. */
  readonly doing: string;
  readonly tags: Tags;
  /** Ways of buying that have brought nothing. */
  readonly refused: Set<CapacityType>;
  readonly reasons: string[];
  /** Machines that have ended; a repeated answer may name them again. */
  readonly dead: Set<string>;
  hasSettled: boolean;
}

export interface LaunchWish {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly signal: AbortSignal;
  readonly spotLimitUsdPerHour: number | undefined;
}

/** A purchase that nothing is known of yet. */
export function newPurchase(context: AwsContext, wish: LaunchWish): Purchase {
  const { claim, nodeClass } = wish;
  const group = launchGroupOf(claim);
  const size = group?.size ?? 1;
  const others = size === 1 ? '' : ` and ${size - 1} like it`;
  return {
    ...wish,
    key: group?.id ?? claim.metadata.uid ?? '',
    group,
    size,
    doing: `launching nodeclaim ${claim.metadata.name}${others}`,
    tags: launchTags({
      clusterName: context.settings.clusterName,
      nodeClass,
      nodePool: claim.metadata.labels?.[labels.nodePool] ?? '',
    }),
    refused: new Set(),
    reasons: [],
    dead: new Set(),
    hasSettled: false,
  };
}

/**
 * Tags by which a machine is found again. Those of a group tell the round too, since each round
 * deals out its own machines.
 */
export function findingTags({ claim, group }: Purchase, round: number): Tags {
  return group === undefined ? claimTags(claim) : { [groupTag]: `${group.id}.${round}` };
}

/** The claim cannot have its machine now; `SpotTooDear` when it could, at a price beyond the limit. */
export function outOfCapacity(
  purchase: Purchase,
  why: { readonly kind?: string; readonly message: string },
): CloudError {
  // What EC2 refused says more than that nothing else was left to ask for.
  const reasons = purchase.reasons.length > 0 ? purchase.reasons.join('; ') : why.message;
  return new CloudError(
    'insufficient-capacity',
    why.kind === 'too-dear' ? 'SpotTooDear' : 'InsufficientCapacity',
    `${purchase.doing}: ${reasons}`,
  );
}
