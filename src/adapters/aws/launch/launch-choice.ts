import { decodeResources } from '../../../api/decode/resources.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType, InstanceType, Offering } from '../../../core/catalog/instance-type.ts';
import { fits } from '../../../core/quantity/resources.ts';
import {
  firstConflict,
  type Requirements,
  requirementsOf,
} from '../../../core/requirements/requirements.ts';
import { has, type ValueSet } from '../../../core/requirements/value-set.ts';
import { labels } from '../../../core/requirements/well-known.ts';

/** A type that would do, and the purchases of it that would do now. */
export interface Candidate {
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

export interface LaunchChoice {
  readonly capacityType: 'on-demand' | 'spot';
  readonly tenancy: 'default' | 'dedicated';
  /** Cheapest first, at most 60. */
  readonly candidates: readonly Candidate[];
}

type NoChoice = { readonly kind: 'no-choice'; readonly message: string };

const maxTypes = 60;
const tenancyLabel = 'karpenter.k8s.aws/instance-tenancy';

/**
 * What to ask the cloud for: spot before on-demand where the claim allows both, without exotic
 * machines unless nothing else is left, and never spot that is dearer than on-demand.
 */
export function chooseLaunch(options: {
  readonly claim: NodeClaim;
  readonly types: readonly InstanceType[];
  /** Zones with a subnet that has room, and their ids. */
  readonly zones: ReadonlyMap<string, string | undefined>;
  /** Ways of buying that have just been refused. */
  readonly refused: ReadonlySet<CapacityType>;
}): LaunchChoice | NoChoice {
  const { claim } = options;
  const requirements = requirementsOf(claim.spec.requirements);
  const hasMinValues = claim.spec.requirements.some((term) => term.minValues !== undefined);
  let candidates = compatible(options, requirements);
  if (!hasMinValues) candidates = withoutDearSpot(withoutExotic(candidates), requirements);
  const capacityType = candidates.some((one) => sells(one, 'spot')) ? 'spot' : 'on-demand';
  const chosen = candidates
    .map((one) => narrowed(one, (offering) => offering.capacityType === capacityType))
    .filter((one) => one.offerings.length > 0)
    .sort(byPrice)
    .slice(0, maxTypes);
  if (chosen.length === 0)
    return { kind: 'no-choice', message: 'no instance type that meets the claim is available' };
  const unmet = firstUnmetMinimum(claim, chosen, requirements);
  if (unmet !== undefined) return { kind: 'no-choice', message: unmet };
  const tenancy = allows(requirements.get(tenancyLabel), 'default') ? 'default' : 'dedicated';
  return { capacityType, tenancy, candidates: chosen };
}

function compatible(
  options: Parameters<typeof chooseLaunch>[0],
  requirements: Requirements,
): Candidate[] {
  const { resources } = decodeResources(options.claim.spec.resources?.requests, 'claim');
  const isUsable = (offering: Offering): boolean =>
    offering.isAvailable &&
    !options.refused.has(offering.capacityType) &&
    options.zones.has(offering.zone) &&
    allows(requirements.get(labels.capacityType), offering.capacityType) &&
    allows(requirements.get(labels.zone), offering.zone) &&
    allowsZoneId(requirements.get(labels.zoneId), options.zones.get(offering.zone));
  return options.types
    .filter(
      (type) =>
        firstConflict(type.requirements, requirements) === undefined &&
        fits(resources, type.allocatable),
    )
    .map((type) => ({ type, offerings: type.offerings.filter(isUsable) }))
    .filter((one) => one.offerings.length > 0);
}

function allows(set: ValueSet | undefined, value: string): boolean {
  return set === undefined || has(set, value);
}

function allowsZoneId(set: ValueSet | undefined, id: string | undefined): boolean {
  return set === undefined || (id !== undefined && has(set, id));
}

const exoticResources = [
  'nvidia.com/gpu',
  'amd.com/gpu',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
];

/** Bare metal and accelerators are rare and dear: only if nothing else serves. */
function withoutExotic(candidates: Candidate[]): Candidate[] {
  const plain = candidates.filter(
    ({ type }) =>
      !(type.name.split('.')[1] ?? '').includes('metal') &&
      exoticResources.every((name) => (type.capacity[name] ?? 0) === 0),
  );
  return plain.length > 0 ? plain : candidates;
}

/** Where both are possible, spot must not cost more than the cheapest machine that stays. */
function withoutDearSpot(candidates: Candidate[], requirements: Requirements): Candidate[] {
  const wanted = requirements.get(labels.capacityType);
  if (!allows(wanted, 'spot') || !allows(wanted, 'on-demand')) return candidates;
  const steady = candidates.flatMap(({ offerings }) =>
    offerings.filter((offering) => offering.capacityType === 'on-demand'),
  );
  if (steady.length === 0) return candidates;
  const limit = Math.min(...steady.map((offering) => offering.priceUsdPerHour));
  return candidates
    .map((one) =>
      narrowed(
        one,
        (offering) => offering.capacityType !== 'spot' || offering.priceUsdPerHour <= limit,
      ),
    )
    .filter((one) => one.offerings.length > 0);
}

function narrowed(candidate: Candidate, keep: (offering: Offering) => boolean): Candidate {
  return { type: candidate.type, offerings: candidate.offerings.filter(keep) };
}

function sells(candidate: Candidate, capacityType: CapacityType): boolean {
  return candidate.offerings.some((offering) => offering.capacityType === capacityType);
}

function byPrice(a: Candidate, b: Candidate): number {
  const difference = cheapest(a) - cheapest(b);
  return difference !== 0 ? difference : a.type.name < b.type.name ? -1 : 1;
}

function cheapest(candidate: Candidate): number {
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
