import type { InstanceType } from '../catalog/instance-type.ts';
import {
  firstConflict,
  firstUnmet,
  labelsAsRequirements,
  type Requirements,
} from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';

/** What a claim and its pool say, as far as it tells whether the one is still what the other asks. */
export interface DriftFacts {
  readonly labels: Readonly<Record<string, string>>;
  readonly claimStamp: HashStamp;
  readonly poolStamp: HashStamp;
  /** What the pool asks of its nodes' labels now. */
  readonly requirements: Requirements;
  readonly ageMs: number;
  /** Undefined while nobody knows what the cloud offers. */
  readonly instanceTypes: readonly InstanceType[] | undefined;
}

export interface HashStamp {
  readonly hash: string | undefined;
  readonly version: string | undefined;
}

export type PoolDriftReason = 'NodePoolDrifted' | 'RequirementsDrifted' | 'InstanceTypeNotFound';

/** So long may a catalogue that is just being read leave a young node out. */
const matureMs = 3_600_000;

/** The first way in which a claim differs from what its pool would make now. */
export function poolDrift(facts: DriftFacts): PoolDriftReason | undefined {
  if (hasOtherHash(facts)) return 'NodePoolDrifted';
  const own = labelsAsRequirements(facts.labels);
  if (firstUnmet(own, facts.requirements, () => false) !== undefined) return 'RequirementsDrifted';
  return isTypeGone(facts) ? 'InstanceTypeNotFound' : undefined;
}

/** Hashes of different versions cannot be compared, and one that is missing says nothing. */
function hasOtherHash({ claimStamp, poolStamp }: DriftFacts): boolean {
  if (claimStamp.hash === undefined || poolStamp.hash === undefined) return false;
  if (claimStamp.version === undefined || claimStamp.version !== poolStamp.version) return false;
  return claimStamp.hash !== poolStamp.hash;
}

function isTypeGone({ labels: own, ageMs, instanceTypes }: DriftFacts): boolean {
  if (ageMs < matureMs || instanceTypes === undefined || instanceTypes.length === 0) return false;
  const type = instanceTypes.find(({ name }) => name === own[labels.instanceType]);
  return type === undefined || !isOffered(type, own);
}

/** A reserved node that lost its reservation lives on as an on-demand one. */
function isOffered(type: InstanceType, own: Readonly<Record<string, string>>): boolean {
  const wanted = own[labels.capacityType];
  const kinds = wanted === 'reserved' ? ['reserved', 'on-demand'] : [wanted];
  const place = Object.fromEntries(
    [labels.zone, labels.arch].flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])),
  );
  if (firstConflict(type.requirements, labelsAsRequirements(place)) !== undefined) return false;
  return type.offerings.some(
    ({ zone, capacityType }) => zone === own[labels.zone] && kinds.includes(capacityType),
  );
}
