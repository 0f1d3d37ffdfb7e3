import {
  firstConflict,
  operators,
  type Requirements,
  type RequirementTerm,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import { isMap, listAt, mapAt, type Path, type Value } from '../value.ts';
import type { LintInstanceType } from './knowledge.ts';

/** One requirement of a pool, or one of its labels, and where it is written. */
export interface PlacedTerm {
  readonly path: Path;
  readonly term: RequirementTerm;
}

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
  const { key, values = [] } = entry;
  const operator = operators.find((one) => one === entry.operator);
  if (typeof key !== 'string' || operator === undefined || !Array.isArray(values)) return [];
  return [{ path, term: { key, operator, values: values.map(String) } }];
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
