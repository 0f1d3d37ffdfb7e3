import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType, InstanceType, Offering } from '../../../core/catalog/instance-type.ts';
import { type Requirements, requirementsOf } from '../../../core/requirements/requirements.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { upTo, withoutDearSpot } from './dear-spot.ts';
import { allows, type Candidate, compatible, narrowed, withoutExotic } from './launch-filters.ts';
import { reservedCandidates } from './reserved-candidates.ts';

export type { Candidate } from './launch-filters.ts';

export interface LaunchChoice {
  readonly capacityType: CapacityType;
  readonly tenancy: 'default' | 'dedicated';
  /** Cheapest first, at most 60. */
  readonly candidates: readonly Candidate[];
}

interface NoChoice {
  /** `too-dear` when something is there, but at a price that nobody would pay knowingly. */
  readonly kind: 'no-choice' | 'too-dear';
  readonly message: string;
}

const tooDear: NoChoice = {
  kind: 'too-dear',
  message: 'the only spot machines left cost more than on-demand ones would',
};
const nothingLeft: NoChoice = {
  kind: 'no-choice',
  message: 'no instance type that meets the claim is available',
};

export interface ChoiceOptions {
  readonly claim: NodeClaim;
  readonly types: readonly InstanceType[];
  /** Zones with a subnet that has room, and their ids. */
  readonly zones: ReadonlyMap<string, string | undefined>;
  /** Ways of buying that have just been refused. */
  readonly refused: ReadonlySet<CapacityType>;
  /** More than this is not paid for spot. */
  readonly spotLimitUsdPerHour?: number | undefined;
}

const maxTypes = 60;
const tenancyLabel = 'karpenter.k8s.aws/instance-tenancy';

/**
 * What to ask the cloud for: reserved before spot before on-demand where the claim allows them,
 * without exotic machines unless nothing else is left, and never spot that costs more than
 * on-demand would. Only types of the claim's own list are chosen, whatever has run out.
 */
export function chooseLaunch(options: ChoiceOptions): LaunchChoice | NoChoice {
  const requirements = requirementsOf(options.claim.spec.requirements);
  const every = compatible(options, requirements);
  const { spotLimitUsdPerHour: limit } = options;
  const candidates = filtered(options, requirements, upTo(limit, every));
  const capacityType = bestWay(candidates);
  const chosen = candidates
    .map((one) => narrowed(one, (offering) => offering.capacityType === capacityType))
    .filter((one) => one.offerings.length > 0)
    .sort(byPrice)
    .slice(0, maxTypes);
  if (chosen.length === 0) return every.length > 0 ? tooDear : nothingLeft;
  const unmet = firstUnmetMinimum(options.claim, chosen, requirements);
  if (unmet !== undefined) return { kind: 'no-choice', message: unmet };
  const tenancy = allows(requirements.get(tenancyLabel), 'default') ? 'default' : 'dedicated';
  return { capacityType, tenancy, candidates: chosen };
}

/** The filters of the original, in its order. */
function filtered(
  { claim }: ChoiceOptions,
  requirements: Requirements,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const reserved = allows(requirements.get(labels.capacityType), 'reserved')
    ? reservedCandidates(candidates)
    : candidates;
  // Variety that the claim insists on is not filtered away.
  if (claim.spec.requirements.some((term) => term.minValues !== undefined)) return reserved;
  return withoutDearSpot(withoutExotic(reserved), requirements);
}

const ways: readonly CapacityType[] = ['reserved', 'spot'];

function bestWay(candidates: readonly Candidate[]): CapacityType {
  const isSold = (way: CapacityType): boolean =>
    candidates.some(({ offerings }) => offerings.some((one) => one.capacityType === way));
  return ways.find(isSold) ?? 'on-demand';
}

function byPrice(a: Candidate, b: Candidate): number {
  const difference = cheapest(a) - cheapest(b);
  return difference !== 0 ? difference : a.type.name < b.type.name ? -1 : 1;
}

function cheapest(candidate: { readonly offerings: readonly Offering[] }): number {
  return Math.min(...candidate.offerings.map((offering) => offering.priceUsdPerHour));
}

/** A claim may insist on a variety of values, for the sake of spot; a short list must keep it. */
function firstUnmetMinimum(
  claim: NodeClaim,
  chosen: readonly Candidate[],
  requirements: Requirements,
): string | undefined {
  for (const { key, minValues } of claim.spec.requirements) {
    if (minValues === undefined) continue;
    const wanted = requirements.get(key);
    const values = new Set<string>();
    for (const { type } of chosen)
      for (const value of type.requirements.get(key)?.values ?? [])
        if (allows(wanted, value)) values.add(value);
    if (values.size < minValues)
      return `only ${values.size} values of ${key} are available, and the claim asks for ${minValues}`;
  }
  return undefined;
}
