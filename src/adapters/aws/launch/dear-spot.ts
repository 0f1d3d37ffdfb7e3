import type { Offering } from '../../../core/catalog/instance-type.ts';
import type { Requirements } from '../../../core/requirements/requirements.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { allows, type Candidate, narrowed } from './launch-filters.ts';

/** Without spot that costs more than the limit, whatever else there is. */
export function upTo(
  limitUsdPerHour: number | undefined,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (limitUsdPerHour === undefined) return candidates;
  return candidates
    .map((one) => narrowed(one, (offering) => !isDear(offering, limitUsdPerHour)))
    .filter((one) => one.offerings.length > 0);
}

/** Where both are possible, spot must not cost more than the cheapest machine that stays. */
export function withoutDearSpot(
  candidates: readonly Candidate[],
  requirements: Requirements,
): readonly Candidate[] {
  const wanted = requirements.get(labels.capacityType);
  if (!allows(wanted, 'spot') || !allows(wanted, 'on-demand')) return candidates;
  const prices = candidates
    .flatMap(({ offerings }) => offerings)
    .filter(({ capacityType }) => capacityType === 'on-demand')
    .map(({ priceUsdPerHour }) => priceUsdPerHour);
  return upTo(prices.length === 0 ? undefined : Math.min(...prices), candidates);
}

function isDear({ capacityType, priceUsdPerHour }: Offering, limitUsdPerHour: number): boolean {
  return capacityType === 'spot' && priceUsdPerHour > limitUsdPerHour;
}
