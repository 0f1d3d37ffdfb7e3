import type { InstanceType, Offering } from '../../core/catalog/instance-type.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import { has, type ValueSet } from '../../core/requirements/value-set.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { NodeClaim } from '../karpenter/node-claim.ts';
import { typesAmong, typesNamed } from './types-by-name.ts';

interface Priced {
  readonly claim?: NodeClaim | undefined;
  readonly instanceTypes?: readonly InstanceType[] | undefined;
}

/**
 * What the node costs: the price of its type where and how it was bought or, before the launch,
 * of the cheapest purchase that its claim allows. A node that nobody claimed is on-demand unless
 * its node group says spot. Undefined where no price is known.
 */
export function priceOf(
  { claim, instanceTypes = [] }: Priced,
  nodeLabels: Readonly<Record<string, string>>,
): number | undefined {
  const requirements = requirementsOf(claim?.spec.requirements ?? []);
  const known = claim === undefined ? withGroupCapacity(nodeLabels) : nodeLabels;
  const allows = (key: string, value: string): boolean => {
    const label = known[key];
    return label === undefined ? isIn(requirements.get(key), value) : label === value;
  };
  // Without a claim or a label, any type would do, and a price by chance is worse than none.
  if (nodeLabels[labels.instanceType] === undefined && !requirements.has(labels.instanceType))
    return undefined;
  const isPossible = (offering: Offering): boolean =>
    allows(labels.zone, offering.zone) && allows(labels.capacityType, offering.capacityType);
  const name = nodeLabels[labels.instanceType];
  const types =
    name === undefined
      ? typesAmong(instanceTypes, requirements.get(labels.instanceType))
      : typesNamed(instanceTypes, name);
  let least: number | undefined;
  for (const { offerings } of types)
    for (const offering of offerings)
      if ((least === undefined || offering.priceUsdPerHour < least) && isPossible(offering))
        least = offering.priceUsdPerHour;
  return least;
}

function withGroupCapacity(
  nodeLabels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isSpot = nodeLabels['eks.amazonaws.com/capacityType'] === 'SPOT';
  return { [labels.capacityType]: isSpot ? 'spot' : 'on-demand', ...nodeLabels };
}

function isIn(set: ValueSet | undefined, value: string): boolean {
  return set === undefined || has(set, value);
}
