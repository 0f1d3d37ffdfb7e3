import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KubeObject, keyOf } from '../api/resource.ts';
import { ObjectStore } from './object-store.ts';

const step = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'aa', 'B'),
  namespace: fc.constantFrom('x', 'y'),
  label: fc.constantFrom('red', 'blue'),
  action: fc.constantFrom('set', 'set', 'delete', 'read'),
});

test('the store answers like a sorted map, whenever it is asked', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const store = new ObjectStore<KubeObject>();
      const model = new Map<string, KubeObject>();
      store.addIndex('label', (object) => [object.metadata.labels?.color ?? '']);
      for (const { name, namespace, label, action } of steps) {
        const object = { metadata: { name, namespace, labels: { color: label } } };
        if (action === 'set') {
          store.set(object);
          model.set(keyOf(object), object);
        } else if (action === 'delete') {
          store.delete(keyOf(object));
          model.delete(keyOf(object));
        } else {
          check(store, model);
        }
      }
      check(store, model);
    }),
    { numRuns: 500 },
  );
});

function check(store: ObjectStore<KubeObject>, model: ReadonlyMap<string, KubeObject>): void {
  const expected = [...model.keys()].sort().map((key) => model.get(key));
  expect(store.list()).toEqual(expected);
  for (const color of ['red', 'blue']) {
    const matching = expected.filter((object) => object?.metadata.labels?.color === color);
    expect(store.by('label', color)).toEqual(matching);
  }
  expect(store.size).toBe(model.size);
}
