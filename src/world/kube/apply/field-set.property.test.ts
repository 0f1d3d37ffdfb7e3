import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  differenceOf,
  type FieldSet,
  fieldNode,
  intersectionOf,
  noFields,
  pathsOf,
  unionOf,
} from './field-set.ts';

// A tiny tree of names, so that random sets share many fields.
const keys = ['f:a', 'f:b', 'k:{"name":"x"}'];
const membership = fc.constantFrom('in' as const, 'out' as const);

function nodes(depth: number): fc.Arbitrary<FieldSet | undefined> {
  if (depth === 0) return membership.map((is) => fieldNode(is, {}));
  const below = fc.tuple(...keys.map(() => fc.option(nodes(depth - 1), { nil: undefined })));
  return fc.tuple(membership, below).map(([is, parts]) => {
    const found = keys.flatMap((key, i) => (parts[i] === undefined ? [] : [[key, parts[i]]]));
    return fieldNode(is, Object.fromEntries(found));
  });
}

/** The root itself is never a member. */
const sets = nodes(2).map((node) => {
  const { '.': _dot, ...below } = node ?? noFields;
  return below as FieldSet;
});

test('union, intersection and difference hold exactly the fields that they should', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [inA, inB] = [new Set(pathsOf(a)), new Set(pathsOf(b))];
      expect(new Set(pathsOf(unionOf(a, b)))).toEqual(new Set([...inA, ...inB]));
      const both = [...inA].filter((path) => inB.has(path));
      expect(new Set(pathsOf(intersectionOf(a, b)))).toEqual(new Set(both));
      const onlyA = [...inA].filter((path) => !inB.has(path));
      expect(new Set(pathsOf(differenceOf(a, b)))).toEqual(new Set(onlyA));
    }),
    { numRuns: 500 },
  );
});
