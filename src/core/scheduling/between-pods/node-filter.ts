import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { combine, firstConflict, type Requirements } from '../../requirements/requirements.ts';
import {
  absent,
  allowsAbsence,
  anyValue,
  except,
  isImpossible,
  isPartOf,
  only,
  type ValueSet,
} from '../../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../../requirements/well-known.ts';
import { repels } from '../market/wish.ts';
import type { GroupRule } from './group.ts';

/** Which nodes a rule looks at, rather than which pods. */
type NodeFilter = Pick<GroupRule, 'filter' | 'tolerant' | 'needs'>;

/** Whether pods on new nodes count for a rule. */
export type Counting = 'always' | 'never' | 'either';

/** How a pod that asks for one of the alternatives stands to the rule, wherever it is bought. */
export function countingOf(
  rule: NodeFilter,
  { alternatives, pod }: { readonly alternatives: readonly Requirements[]; readonly pod: Pod },
  pools: readonly Pool[],
): Counting {
  const { tolerant } = rule;
  if (rule.filter === undefined && tolerant === undefined && rule.needs === undefined)
    return 'always';
  const filter = rule.filter?.filter(isPossible);
  const needs = ownNeeds(rule);
  if (
    filter !== undefined &&
    !filter.some((one) => alternatives.some((other) => firstConflict(one, other) === undefined))
  )
    return 'never';
  const isMet = alternatives.every(
    (wanted) =>
      (filter === undefined || filter.some((one) => implies(wanted, one))) &&
      needs.every((key) => !allowsAbsence(wanted.get(key) ?? nothingSaid)),
  );
  if (!isMet) return 'either';
  if (tolerant === undefined || tolerant === pod) return 'always';
  const isPassedBy = pools.some(
    ({ taints }) => repels(taints, tolerant, false) && !repels(taints, pod, false),
  );
  return isPassedBy ? 'either' : 'always';
}

/** Nodes that a rule looks at, and nodes that it passes by: both together are all nodes. */
export interface Sides {
  readonly counted: readonly Requirements[];
  readonly passedBy: readonly Requirements[];
}

/** On nodes of one side pods surely count for the rule, and on those of the other surely not. */
export function sidesOf(rule: NodeFilter, pools: readonly Pool[]): Sides {
  const { tolerant } = rule;
  const filter = (rule.filter ?? [new Map()]).filter(isPossible);
  const outside = pools.filter(
    ({ taints }) => tolerant !== undefined && repels(taints, tolerant, false),
  );
  const names = outside.map(({ name }) => name);
  const needs = new Map(ownNeeds(rule).map((key) => [key, anyValue]));
  const inside = new Map([...needs, ...(names.length > 0 ? [inPools(except(names))] : [])]);
  const opposites = filter.reduce(
    (lists: readonly Requirements[], one) =>
      lists.flatMap((before) => oppositesOf(one).map((other) => combine(before, other))),
    [new Map()],
  );
  const passedBy = [
    ...(names.length > 0 ? [new Map([inPools(only(names))])] : []),
    ...[...needs.keys()].map((key) => new Map([[key, absent]])),
    ...opposites,
  ];
  return { counted: filter.map((one) => combine(one, inside)), passedBy };
}

/** What is wanted, on one side of a rule, as far as there are such nodes. */
export function wantedOn(
  side: readonly Requirements[],
  wanted: Requirements,
): readonly Requirements[] {
  return side.map((one) => combine(wanted, one)).filter(isPossible);
}

const nothingSaid: ValueSet = { ...anyValue, mayBeAbsent: true };

/** Labels that every new node has need not be asked for. */
function ownNeeds({ needs = [] }: NodeFilter): readonly string[] {
  return needs.filter((key) => !isWellKnownLabel(key));
}

function inPools(set: ValueSet): [string, ValueSet] {
  return [labels.nodePool, set];
}

/** Whether whatever meets `wanted` meets the other as well. */
function implies(wanted: Requirements, other: Requirements): boolean {
  for (const [key, set] of other) if (!isPartOf(wanted.get(key) ?? nothingSaid, set)) return false;
  return true;
}

/** Requirements one of which holds wherever these do not. */
function oppositesOf(wanted: Requirements): readonly Requirements[] {
  return [...wanted].flatMap(([key, set]) =>
    complementsOf(set).map((other) => new Map([[key, other]])),
  );
}

/** Sets that together have all that the set has not, but for text outside of bounds. */
function complementsOf(set: ValueSet): readonly ValueSet[] {
  if (set.kind === 'only') return [{ ...except(set.values), mayBeAbsent: !set.mayBeAbsent }];
  return [
    ...(set.values.size > 0 ? [only(set.values)] : []),
    ...(set.min > -Infinity ? [except([], -Infinity, set.min - 1)] : []),
    ...(set.max < Infinity ? [except([], set.max + 1)] : []),
    ...(set.mayBeAbsent ? [] : [absent]),
  ];
}

function isPossible(requirements: Requirements): boolean {
  for (const set of requirements.values()) if (isImpossible(set)) return false;
  return true;
}
