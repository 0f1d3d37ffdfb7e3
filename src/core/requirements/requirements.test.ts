import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  combine,
  firstConflict,
  firstUnmet,
  labelsAsRequirements,
  type RequirementTerm,
  requirementsOf,
  termsOf,
} from './requirements.ts';
import { except, only, valuesWithin } from './value-set.ts';
import { isWellKnownLabel } from './well-known.ts';

const zone = 'topology.kubernetes.io/zone';

function term(key: string, operator: RequirementTerm['operator'], ...values: string[]) {
  return { key, operator, values };
}

describe('a new node against a pod', () => {
  test.each([
    { pool: [term(zone, 'In', 'a', 'b')], pod: [term(zone, 'NotIn', 'a')], unmet: undefined },
    { pool: [], pod: [term(zone, 'In', 'a')], unmet: undefined },
    { pool: [], pod: [term('team', 'In', 'x')], unmet: 'team' },
    { pool: [], pod: [term('team', 'Exists')], unmet: 'team' },
    { pool: [], pod: [term('team', 'Gt', '1')], unmet: 'team' },
    { pool: [], pod: [term('team', 'NotIn', 'x')], unmet: undefined },
    { pool: [], pod: [term('team', 'DoesNotExist')], unmet: undefined },
    { pool: [term('team', 'Exists')], pod: [term('team', 'In', 'x')], unmet: undefined },
    { pool: [term('k', 'DoesNotExist')], pod: [term('k', 'NotIn', 'x')], unmet: undefined },
    { pool: [term('k', 'DoesNotExist')], pod: [term('k', 'DoesNotExist')], unmet: undefined },
    { pool: [term('k', 'DoesNotExist')], pod: [term('k', 'Exists')], unmet: 'k' },
    { pool: [term('k', 'DoesNotExist')], pod: [term('k', 'In', 'x')], unmet: 'k' },
    { pool: [term('k', 'In', 'x')], pod: [term('k', 'DoesNotExist')], unmet: 'k' },
    { pool: [term('gen', 'Gt', '3')], pod: [term('gen', 'Lt', '5')], unmet: undefined },
    { pool: [term('gen', 'Gt', '3')], pod: [term('gen', 'Lt', '4')], unmet: 'gen' },
    // Kubernetes wants the label to exist here, though `NotIn` alone would not.
    { pool: [], pod: [term('k', 'Exists'), term('k', 'NotIn', 'x')], unmet: 'k' },
    // Two values at once are no value; this is not the same as asking for absence.
    { pool: [], pod: [term('k', 'In', 'x'), term('k', 'In', 'y')], unmet: 'k' },
    { pool: [], pod: [term(zone, 'In', 'x'), term(zone, 'In', 'y')], unmet: zone },
  ])('$pool and $pod leave $unmet', ({ pool, pod, unmet }) => {
    const found = firstUnmet(requirementsOf(pool), requirementsOf(pod), isWellKnownLabel);
    expect(found).toBe(unmet);
  });
});

test('an existing node must have even a well-known label', () => {
  const wanted = requirementsOf([term(zone, 'In', 'a')]);
  expect(firstUnmet(new Map(), wanted, () => false)).toBe(zone);
});

describe('old label names', () => {
  test.each([
    ['failure-domain.beta.kubernetes.io/zone', zone],
    ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
    ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
    ['beta.kubernetes.io/os', 'kubernetes.io/os'],
    ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ])('%s means %s', (old, current) => {
    expect([...requirementsOf([term(old, 'Exists')]).keys()]).toEqual([current]);
    expect([...labelsAsRequirements({ [old]: 'x' }).keys()]).toEqual([current]);
  });

  test('names that every object has are no label names', () => {
    expect([...requirementsOf([term('constructor', 'Exists')]).keys()]).toEqual(['constructor']);
  });
});

describe('bounds', () => {
  const between = requirementsOf([term('gen', 'Gt', '3'), term('gen', 'Lt', '5')]);

  test('leave the integers between them', () => {
    expect(termsOf(combine(between, requirementsOf([term('gen', 'In', '4', '8', 'x')])))).toEqual([
      { key: 'gen', operator: 'In', values: ['4'] },
    ]);
  });

  test.each([
    [[term('gen', 'Lt', '0')]],
    [[term('gen', 'Gt', '4'), term('gen', 'Lt', '5')]],
    [[term('gen', 'Gte', '5'), term('gen', 'Lte', '4')]],
    [[term('gen', 'Gt', '3'), term('gen', 'Lt', '5'), term('gen', 'NotIn', '4')]],
    [[term('gen', 'NotIn', '0', '1'), term('gen', 'Lte', '1')]],
  ])('that leave no number meet nothing: %j', (terms) => {
    const wanted = requirementsOf(terms);
    expect(termsOf(wanted)).toEqual([{ key: 'gen', operator: 'In', values: [] }]);
    expect(firstUnmet(requirementsOf([term('gen', 'Exists')]), wanted, () => true)).toBe('gen');
  });

  test('that leave no number together exclude each other', () => {
    const others = requirementsOf([term('gen', 'NotIn', '4')]);
    expect(firstConflict(between, others)).toBe('gen');
    expect(firstConflict(between, requirementsOf([term('gen', 'NotIn', '5')]))).toBeUndefined();
  });

  test('that are no integers meet nothing', () => {
    expect(firstConflict(between, requirementsOf([term('gen', 'Gt', '')]))).toBe('gen');
    expect(firstConflict(between, requirementsOf([term('gen', 'Lt', '5.5')]))).toBe('gen');
  });
});

const universe = ['a', 'b', '0', '5', undefined];
const anyTerm = fc
  .tuple(
    fc.constantFrom('k', 'l'),
    fc.constantFrom<RequirementTerm['operator'][]>(
      'In',
      'NotIn',
      'Exists',
      'DoesNotExist',
      'Gt',
      'Lte',
    ),
    fc.subarray(['a', 'b', '0', '5'], { minLength: 1, maxLength: 2 }),
  )
  .map(([key, operator, values]): RequirementTerm => {
    if (operator === 'Gt' || operator === 'Lte') return { key, operator, values: ['2'] };
    return operator === 'In' || operator === 'NotIn'
      ? { key, operator, values }
      : { key, operator };
  });

/** One term as the Kubernetes documentation explains it. */
function isMet(value: string | undefined, { operator, values = [] }: RequirementTerm): boolean {
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'DoesNotExist') return value === undefined;
  if (value === undefined) return false;
  if (operator === 'In') return values.includes(value);
  if (operator === 'Exists') return true;
  if (!/^\d+$/.test(value)) return false;
  return operator === 'Gt' ? Number(value) > Number(values[0]) : Number(value) <= Number(values[0]);
}

test('a node meets combined terms exactly when it meets each of them', () => {
  fc.assert(
    fc.property(fc.array(anyTerm, { maxLength: 4 }), (terms) => {
      const wanted = requirementsOf(terms);
      for (const value of universe) {
        const labels: Record<string, string> = value === undefined ? {} : { k: value, l: value };
        const isNode = firstUnmet(labelsAsRequirements(labels), wanted, () => false) === undefined;
        expect(isNode).toBe(terms.every((one) => isMet(value, one)));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('requirements that are written and read again are the same', () => {
  fc.assert(
    fc.property(fc.array(anyTerm, { maxLength: 4 }), (terms) => {
      const wanted = requirementsOf(terms);
      expect(requirementsOf(termsOf(wanted))).toEqual(wanted);
    }),
    { numRuns: 2_000 },
  );
});

test('of the values that a type names, those count that everybody allows; what is excluded is no value', () => {
  expect(valuesWithin(only(['a', 'b', 'c']), only(['b', 'c']), undefined, except(['c']))).toEqual([
    'b',
  ]);
  expect(valuesWithin(except(['a']), undefined)).toEqual([]);
  expect(valuesWithin(undefined, only(['a']))).toEqual([]);
});
