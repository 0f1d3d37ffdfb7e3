import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import { solve } from '../../core/scheduling/solve.ts';
import { decodePod } from '../decode/pod.ts';
import type { PodObject } from '../kubernetes/core.ts';
import { builtInShape } from '../shape/built-in.ts';
import type { LeafType, Shape } from '../shape/shape.ts';
import type { Value, ValueMap } from '../value.ts';
import { checkedObject } from './checked-object.ts';

const words = ['', 'a', 'Always', '3', 'topology.kubernetes.io/zone'];
const leaves: Readonly<Record<LeafType, fc.Arbitrary<Value>>> = {
  string: fc.constantFrom(...words),
  integer: fc.integer({ min: -1, max: 3 }),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  time: fc.constantFrom('2026-01-01T00:00:00Z', ''),
  'micro-time': fc.constantFrom(''),
  quantity: fc.constantFrom('1', '500m', '1Gi', 2, '0', 'x', -1),
  'int-or-string': fc.constantFrom(1, '10%'),
  bytes: fc.constantFrom(''),
};

/** Fields that take few words, which would hardly ever be met by chance. */
const usual: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  effect: fc.constantFrom('', 'NoSchedule', 'NoExecute'),
  whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
  nodeAffinityPolicy: fc.constantFrom('Honor', 'Ignore'),
  nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
};

/** Values of a shape, and now and then something else. */
function anyOf(shape: Shape, depth: number): fc.Arbitrary<Value> {
  const strange: fc.Arbitrary<Value> = fc.constantFrom<Value>(null, 'x', 7, [], {}, [null]);
  const own = depth > 9 ? fc.constant<Value>(null) : shaped(shape, depth + 1);
  return fc.oneof({ weight: 60, arbitrary: own }, { weight: 1, arbitrary: strange });
}

function shaped(shape: Shape, depth: number): fc.Arbitrary<Value> {
  switch (shape.type) {
    case 'any':
      return fc.constant<Value>({});
    case 'leaf':
      return leaves[shape.leaf];
    case 'list':
      return fc.array(anyOf(shape.items, depth), { maxLength: 2 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'cpu', '__proto__'), anyOf(shape.values, depth), {
        maxKeys: 2,
      });
    case 'object':
      return objectOf(shape.fieldNames, (name) => anyOf(shape.field(name) ?? shape, depth));
  }
}

function objectOf(
  names: readonly string[],
  fieldOf: (name: string) => fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fc
    .subarray([...names], {
      // Nearly all of a small object, whose fields are mostly needed.
      minLength: names.length <= 8 ? Math.max(0, names.length - 1) : 0,
      maxLength: Math.min(8, names.length),
    })
    .chain((some) =>
      fc.record(Object.fromEntries(some.map((name) => [name, usual[name] ?? fieldOf(name)]))),
    );
}

const deciding = {
  PodSpec: [
    'affinity',
    'containers',
    'hostNetwork',
    'initContainers',
    'nodeSelector',
    'overhead',
    'resources',
    'tolerations',
    'topologySpreadConstraints',
    'volumes',
  ],
};

function pod(): fc.Arbitrary<ValueMap> {
  const shape = builtInShape('PodSpec');
  if (shape.type !== 'object') throw new Error('a pod spec is an object');
  const spec = objectOf(deciding.PodSpec, (name) => anyOf(shape.field(name) ?? shape, 0));
  const container = { name: 'main', image: 'nginx' };
  return spec.map((given) => ({
    metadata: { name: 'pod' },
    spec: { containers: [container], ...(given as ValueMap) },
  }));
}

test('a pod without faults is planned or refused, and breaks nothing', () => {
  const type = aType({ name: 'm.large', cpu: 4, memoryGi: 16 });
  const snapshot = aSnapshot({ pools: [aPool({ name: 'pool', instanceTypes: [type] })] });
  let sound = 0;
  fc.assert(
    fc.property(pod(), (given) => {
      const { object, faults } = checkedObject(given, 'Pod');
      if (faults.length > 0) return;
      sound++;
      const { newNodes, unplaced } = solve(snapshot, [decodePod(object as unknown as PodObject)]);
      expect(newNodes.length + unplaced.length).toBe(1);
      expect(unplaced.every(({ refusal }) => refusal.sentence.length > 0)).toBe(true);
    }),
    { numRuns: 1_500 },
  );
  expect(sound).toBeGreaterThan(200);
});
