import { decodePool } from '../../api/decode/pool.ts';
import { decodeResources } from '../../api/decode/resources.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { InstanceType } from '../../core/catalog/instance-type.ts';
import { fits } from '../../core/quantity/resources.ts';
import {
  firstConflict,
  type RequirementTerm,
  requirementsOf,
  termsOf,
} from '../../core/requirements/requirements.ts';
import { has } from '../../core/requirements/value-set.ts';
import { labels } from '../../core/requirements/well-known.ts';

/** Fewer types are somebody's own choice; what a plan names by itself is never so short. */
const manyTypes = 5;

/**
 * What a claim that accepts nothing but spot may cost per hour at most: the on-demand price of the
 * cheapest machine that its pool would order for the same pods. While spot is scarce every plan names
 * dearer machines than the one before; without a limit a small pod would end on a huge one. Undefined
 * for claims that it does not concern.
 */
export function spotLimitOf(options: {
  readonly claim: NodeClaim;
  readonly pool: NodePool | undefined;
  readonly types: readonly InstanceType[];
}): number | undefined {
  const { claim, pool, types } = options;
  if (pool === undefined || !isForSpotAlone(claim)) return undefined;
  const isOwn = ({ key }: RequirementTerm): boolean =>
    key !== labels.capacityType && key !== labels.instanceType;
  const ofPool = termsOf(decodePool(pool, { instanceTypes: [] }).requirements);
  const wanted = requirementsOf([
    ...claim.spec.requirements.filter(isOwn),
    ...ofPool.filter(({ key }) => key !== labels.capacityType),
  ]);
  const { resources } = decodeResources(claim.spec.resources?.requests, 'claim');
  const prices = types
    .filter(
      (type) =>
        fits(resources, type.allocatable) && firstConflict(type.requirements, wanted) === undefined,
    )
    .flatMap(({ offerings }) => offerings.filter((one) => one.capacityType === 'on-demand'))
    .map(({ priceUsdPerHour }) => priceUsdPerHour);
  return prices.length === 0 ? undefined : prices.reduce((a, b) => Math.min(a, b));
}

function isForSpotAlone(claim: NodeClaim): boolean {
  const requirements = requirementsOf(claim.spec.requirements);
  const ways = requirements.get(labels.capacityType);
  const types = requirements.get(labels.instanceType);
  const isSpotAlone = ways !== undefined && has(ways, 'spot') && !has(ways, 'on-demand');
  return isSpotAlone && types?.kind === 'only' && types.values.size >= manyTypes;
}
