import {
  firstConflict,
  type Operator,
  type Requirements,
  type RequirementTerm,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import { isMap, listAt, mapAt, type Path, type Value } from '../legacy/value.ts';
import type { LintInstanceType } from './knowledge.ts';

/** One requirement of a pool, or one of its labels, and where it is written. */
export interface PlacedTerm {
  readonly path: Path;
  readonly term: RequirementTerm;
}

const operators: readonly string[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
  'Gte',
  'Lte',
];
const template = ['spec', 'template'];

/** What a pool asks of its nodes. Entries that the API server would refuse are left out. */
export function termsOfPool(pool: Value): readonly PlacedTerm[] {
  const list = [...template, 'spec', 'requirements'];
  return [
    ...listAt(pool, list).flatMap((entry, index) => placed(entry, [...list, index])),
    ...Object.entries(mapAt(pool, [...template, 'metadata', 'labels'])).flatMap(
      ([key, value]): PlacedTerm[] =>
        typeof value === 'string'
          ? [
              {
                path: [...template, 'metadata', 'labels', key],
                term: { key, operator: 'In', values: [value] },
              },
            ]
          : [],
    ),
  ];
}

function placed(entry: Value, path: Path): readonly PlacedTerm[] {
  if (!isMap(entry)) return [];
  const { key, operator, values = [] } = entry;
  if (typeof key !== 'string' || typeof operator !== 'string') return [];
  if (!operators.includes(operator) || !Array.isArray(values)) return [];
  const texts = values.map(String);
  return [{ path, term: { key, operator: operator as Operator, values: texts } }];
}

export function requirementsOfPool(pool: Value): Requirements {
  return requirementsOf(termsOfPool(pool).map(({ term }) => term));
}

/** The instance types that meet every term; keys that types do not define are not asked of them. */
export function typesFor(
  terms: readonly PlacedTerm[],
  types: readonly LintInstanceType[],
): readonly LintInstanceType[] {
  const wanted = requirementsOf(terms.map(({ term }) => term));
  return types.filter(({ requirements }) => firstConflict(requirements, wanted) === undefined);
}

export function termText({ key, operator, values = [] }: RequirementTerm): string {
  if (operator === 'Exists' || operator === 'DoesNotExist') return `${key} ${operator}`;
  return `${key} ${operator} [${values.join(', ')}]`;
}
