import type { InstanceType } from '../../core/catalog/instance-type.ts';
import { type Requirements, requirementsOf } from '../../core/requirements/requirements.ts';
import { has, only, type ValueSet } from '../../core/requirements/value-set.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { NodeClaim } from '../karpenter/node-claim.ts';
import { typesAmong } from './types-by-name.ts';

export interface OrderLabels {
  /** What the machine will carry, whichever it is. */
  readonly settled: Readonly<Record<string, string>>;
  /** Labels that it will carry with one of several values. */
  readonly open: Requirements;
}

/**
 * The labels of a machine that is not there yet: those of its claim, those that its requirements
 * leave one value for, and those that all types have among which the claim leaves the choice.
 */
export function labelsOfOrder(
  { metadata, spec }: Pick<NodeClaim, 'metadata' | 'spec'>,
  instanceTypes: readonly InstanceType[] = [],
): OrderLabels {
  const wanted = requirementsOf(spec.requirements);
  const names = wanted.get(labels.instanceType);
  const possible = possibleValues(names === undefined ? [] : typesAmong(instanceTypes, names));
  for (const [key, set] of wanted) {
    const known = possible.get(key) ?? (set.kind === 'only' ? set.values : []);
    possible.set(key, new Set([...known].filter((value) => has(set, value))));
  }
  const settled: Record<string, string> = {};
  const open = new Map<string, ValueSet>();
  for (const [key, values] of possible) {
    const [value, ...others] = values;
    if (value === undefined) continue;
    if (others.length === 0) settled[key] = value;
    else open.set(key, only(values));
  }
  for (const key in metadata.labels) open.delete(key);
  return { settled: { ...settled, ...metadata.labels }, open };
}

/** All values that the types have of the labels that each of them has. */
function possibleValues(types: readonly InstanceType[]): Map<string, ReadonlySet<string>> {
  const possible = new Map<string, ReadonlySet<string>>();
  for (const key of types[0]?.requirements.keys() ?? []) {
    const sets = types.map(({ requirements }) => requirements.get(key));
    const isCommon = sets.every((set) => set?.kind === 'only' && set.values.size > 0);
    // Types say which reservations hold them; machines bought otherwise are of none.
    if (!isCommon || key.startsWith(aboutReservation)) continue;
    possible.set(key, new Set(sets.flatMap((set) => [...(set?.values ?? [])])));
  }
  return possible;
}

const aboutReservation = 'karpenter.k8s.aws/capacity-reservation-';
