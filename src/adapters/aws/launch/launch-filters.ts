import { decodeResources } from '../../../api/decode/resources.ts';
import { isExotic } from '../../../core/catalog/exotic.ts';
import type { InstanceType, Offering } from '../../../core/catalog/instance-type.ts';
import { fits, type Resources } from '../../../core/quantity/resources.ts';
import { firstConflict, type Requirements } from '../../../core/requirements/requirements.ts';
import { has, type ValueSet } from '../../../core/requirements/value-set.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import type { ChoiceOptions } from './launch-choice.ts';

/** A type that would do, and the purchases of it that would do now. */
export interface Candidate {
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

/** Types that meet the claim and hold its pods, with those of their offerings that are there now. */
export function compatible(options: ChoiceOptions, requirements: Requirements): Candidate[] {
  const isUsable = (offering: Offering): boolean =>
    offering.isAvailable &&
    !options.refused.has(offering.capacityType) &&
    options.zones.has(offering.zone) &&
    meets(offering, requirements, options.zones);
  return suitable(options, requirements)
    .map((type) => ({ type, offerings: type.offerings.filter(isUsable) }))
    .filter((one) => one.offerings.length > 0);
}

function suitable(
  { claim, types }: ChoiceOptions,
  requirements: Requirements,
): readonly InstanceType[] {
  const { resources } = decodeResources(claim.spec.resources?.requests, 'claim');
  const isOverlaid = claim.metadata.annotations?.[capacityOverlaid] === 'true';
  return types.filter(
    (type) =>
      firstConflict(type.requirements, requirements) === undefined &&
      fits(isOverlaid ? knownTo(type, resources) : resources, type.allocatable),
  );
}

const capacityOverlaid = 'karpenter.sh/capacity-overlay-applied';

/** Without what a NodeOverlay promises of the machine and EC2 knows nothing of. */
function knownTo(type: InstanceType, resources: Resources): Resources {
  const known = Object.entries(resources).filter(([name]) => Object.hasOwn(type.capacity, name));
  return Object.fromEntries(known);
}

function meets(
  offering: Offering,
  requirements: Requirements,
  zones: ReadonlyMap<string, string | undefined>,
): boolean {
  return (
    allows(requirements.get(labels.capacityType), offering.capacityType) &&
    allows(requirements.get(labels.zone), offering.zone) &&
    allowsZoneId(requirements.get(labels.zoneId), zones.get(offering.zone)) &&
    meetsReservation(offering, requirements)
  );
}

const reservationLabels = {
  id: 'karpenter.k8s.aws/capacity-reservation-id',
  kind: 'karpenter.k8s.aws/capacity-reservation-type',
  isInterruptible: 'karpenter.k8s.aws/capacity-reservation-interruptible',
} as const;

/** An offering without a reservation lacks its labels; who insists on a value of them goes without it. */
function meetsReservation({ reservation }: Offering, requirements: Requirements): boolean {
  return (Object.keys(reservationLabels) as (keyof typeof reservationLabels)[]).every((field) => {
    const set = requirements.get(reservationLabels[field]);
    if (set === undefined) return true;
    if (reservation === undefined) return set.kind === 'except';
    return has(set, String(reservation[field] ?? false));
  });
}

export function allows(set: ValueSet | undefined, value: string): boolean {
  return set === undefined || has(set, value);
}

function allowsZoneId(set: ValueSet | undefined, id: string | undefined): boolean {
  return set === undefined || (id !== undefined && has(set, id));
}

/** Bare metal and accelerators are rare and dear: only if nothing else serves. */
export function withoutExotic(candidates: readonly Candidate[]): readonly Candidate[] {
  const plain = candidates.filter(({ type }) => !isExotic(type));
  return plain.length > 0 ? plain : candidates;
}

export function narrowed(candidate: Candidate, keep: (offering: Offering) => boolean): Candidate {
  return { type: candidate.type, offerings: candidate.offerings.filter(keep) };
}
