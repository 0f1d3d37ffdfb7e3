import { has, type ValueSet } from '../../core/requirements/value-set.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { nearestWord } from '../nearest-word.ts';
import type { Path, Value } from '../value.ts';
import { type Finding, finding } from './finding.ts';
import type { LintInstanceType, LintKnowledge } from './knowledge.ts';
import {
  type PlacedTerm,
  requirementsOfPool,
  termsOfPool,
  termText,
  typesFor,
} from './requirement.ts';

const aws = 'karpenter.k8s.aws';
const requirements: Path = ['spec', 'template', 'spec', 'requirements'];

/** Whether there are machines for the pool: none, too few for spot, or too large ones. */
export function poolTypes(pool: Value, { instanceTypes }: LintKnowledge): readonly Finding[] {
  const terms = termsOfPool(pool);
  return [
    ...unboundedSpot(pool),
    ...(instanceTypes === undefined
      ? []
      : [
          ...strangeValues(terms, instanceTypes),
          ...unsatisfiable(terms, instanceTypes),
          ...narrowSpot(pool, instanceTypes),
        ]),
  ];
}

/** Finds the first requirement, in the order written, that leaves no type. */
function unsatisfiable(
  terms: readonly PlacedTerm[],
  types: readonly LintInstanceType[],
): readonly Finding[] {
  if (typesFor(terms, types).length > 0) return [];
  for (const [index, { path, term }] of terms.entries()) {
    const before = typesFor(terms.slice(0, index), types);
    if (typesFor(terms.slice(0, index + 1), types).length > 0) continue;
    const sentence = `no instance type meets all requirements: ${termText(term)} removes the last ${before.length} of ${types.length}`;
    const fix = 'widen it, or one of the requirements above it; pods of this pool stay pending';
    return [finding('KTS008', { path, sentence, fix })];
  }
  return [];
}

/** Values that no type has: a typing error, or a type that is not sold there. */
function strangeValues(
  terms: readonly PlacedTerm[],
  types: readonly LintInstanceType[],
): readonly Finding[] {
  return terms.flatMap(({ path, term }) => {
    if (term.operator !== 'In') return [];
    const known = valuesOf(term.key, types);
    if (known === undefined) return [];
    return (term.values ?? []).flatMap((value, index): Finding[] => {
      if (known.has(value) || (term.key === labels.capacityType && value === 'reserved')) return [];
      const meant = nearestWord(value, [...known]);
      const sentence = `no instance type has ${term.key} ${value}`;
      const fix = meant === undefined ? 'remove the value' : `write ${meant} if that is meant`;
      return [finding('KTS016', { path: [...path, 'values', index], sentence, fix })];
    });
  });
}

/** Every value that types give this label; undefined where it is not theirs to give. */
function valuesOf(
  key: string,
  types: readonly LintInstanceType[],
): ReadonlySet<string> | undefined {
  const values = new Set<string>();
  let isTheirs = false;
  for (const type of types) {
    const set = type.requirements.get(key);
    if (set?.kind !== 'only') continue;
    isTheirs = true;
    for (const value of set.values) values.add(value);
  }
  return isTheirs ? values : undefined;
}

function allowsSpot(pool: Value): boolean {
  const set = requirementsOfPool(pool).get(labels.capacityType);
  return set === undefined || has(set, 'spot');
}

const sizeKeys = [
  `${aws}/instance-size`,
  `${aws}/instance-cpu`,
  `${aws}/instance-memory`,
  labels.instanceType,
];

function unboundedSpot(pool: Value): readonly Finding[] {
  if (!allowsSpot(pool)) return [];
  const wanted = requirementsOfPool(pool);
  if (sizeKeys.some((key) => isBounded(wanted.get(key)))) return [];
  const sentence =
    'the pool may buy spot machines of any size; many small pods then share one giant that can be taken back at once';
  const fix = `bound it with ${aws}/instance-size In [...] or ${aws}/instance-cpu Lt ["33"]`;
  return [finding('KTS004', { path: requirements, sentence, fix })];
}

function isBounded(set: ValueSet | undefined): boolean {
  if (set === undefined) return false;
  return set.kind === 'only' || set.max !== Infinity || set.values.size > 0;
}

/** Fewer than this, and a spot market that runs dry leaves nothing to turn to. */
const fewestForSpot = 5;

function narrowSpot(pool: Value, types: readonly LintInstanceType[]): readonly Finding[] {
  const left = typesFor(termsOfPool(pool), types).length;
  if (!allowsSpot(pool) || left === 0 || left >= fewestForSpot) return [];
  const sentence = `spot may come from ${left} instance ${left === 1 ? 'type' : 'types'} alone; when ${left === 1 ? 'it is' : 'they are'} gone nothing can be bought, and spot is not consolidated with fewer than 15`;
  const fix = `allow at least ${fewestForSpot} types, better by family and size than by name`;
  return [finding('KTS018', { path: requirements, sentence, fix })];
}
