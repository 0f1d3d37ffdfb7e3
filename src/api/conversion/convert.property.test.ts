import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samples } from '../../../test/judges/conversion/random-objects.ts';
import { convertObject } from './convert.ts';
import { objectAt, type Plain } from './plain.ts';

function converted(object: Plain, desired: string): Plain {
  const result = convertObject(object, desired, { expireAfterOf: () => '24h' });
  if (result.kind === 'failed') throw new Error(result.message);
  return result.object;
}

describe.each(samples)('a $kind', ({ kind, group, v1 }) => {
  test('of v1 that has been read and written as v1beta1 is what it was', () => {
    fc.assert(
      fc.property(v1, (object) => {
        const given = { apiVersion: `${group}/v1`, kind, ...object } as Plain;
        const whole = kind === 'NodeClaim' ? lasting(given) : given;
        const back = converted(converted(whole, `${group}/v1beta1`), `${group}/v1`);
        expect({ spec: back.spec, status: back.status ?? {} }).toEqual({
          spec: whole.spec,
          status: whole.status ?? {},
        });
      }),
      { numRuns: 300 },
    );
  });
});

test('whatever stands in an object, the answer is an object or a sentence', () => {
  const kinds = samples.flatMap(({ kind, group }) => [
    { kind, from: `${group}/v1`, to: `${group}/v1beta1` },
    { kind, from: `${group}/v1beta1`, to: `${group}/v1` },
  ]);
  const keys = fc.constantFrom(
    'template',
    'spec',
    'disruption',
    'kubelet',
    'nodeClassRef',
    '__proto__',
  );
  const leaf = fc.constantFrom(null, 0, 'x', [], [1], [{}], {}, true);
  const level = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof(leaf, fc.dictionary(keys, inner, { maxKeys: 3, noNullPrototype: true }));
  const tree = level(level(level(leaf)));
  fc.assert(
    fc.property(fc.constantFrom(...kinds), tree, tree, ({ kind, from, to }, metadata, spec) => {
      const object = { apiVersion: from, kind, metadata, spec } as Plain;
      const { kind: outcome } = convertObject(object, to, { expireAfterOf: () => undefined });
      expect(['converted', 'failed']).toContain(outcome);
    }),
    { numRuns: 500 },
  );
});

/** The schema of v1 gives every claim an age. */
function lasting(claim: Plain): Plain {
  return { ...claim, spec: { expireAfter: '720h', ...objectAt(claim, 'spec') } };
}
