import { describe, expect, test } from 'vitest';
import { builtInShape } from '../../../api/shape/built-in.ts';
import type { JsonObject } from '../json.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

test('a merge patch merges objects, replaces lists and removes by null', () => {
  const target = { a: { b: 1, c: 2 }, list: [1, 2], gone: true };
  const patch = { a: { b: null, d: 3 }, list: [9], gone: null };
  expect(applyMergePatch(target, patch)).toEqual({ a: { c: 2, d: 3 }, list: [9] });
});

describe('a JSON patch', () => {
  const target = { a: { b: [1, 2] }, 'x/y': 1 };
  test.each([
    {
      name: 'adds to a list',
      operation: { op: 'add', path: '/a/b/1', value: 9 },
      result: { a: { b: [1, 9, 2] }, 'x/y': 1 },
    },
    {
      name: 'appends',
      operation: { op: 'add', path: '/a/b/-', value: 9 },
      result: { a: { b: [1, 2, 9] }, 'x/y': 1 },
    },
    {
      name: 'removes under an escaped name',
      operation: { op: 'remove', path: '/x~1y' },
      result: { a: { b: [1, 2] } },
    },
    {
      name: 'replaces',
      operation: { op: 'replace', path: '/a', value: 1 },
      result: { a: 1, 'x/y': 1 },
    },
    {
      name: 'moves',
      operation: { op: 'move', from: '/x~1y', path: '/z' },
      result: { a: { b: [1, 2] }, z: 1 },
    },
    {
      name: 'copies',
      operation: { op: 'copy', from: '/a/b/0', path: '/z' },
      result: { ...target, z: 1 },
    },
    { name: 'tests', operation: { op: 'test', path: '/a/b', value: [1, 2] }, result: target },
  ])('$name', ({ operation, result }) => {
    expect(applyJsonPatch(target, [operation])).toEqual(result);
  });

  test.each([
    { op: 'test', path: '/a/b', value: [2] },
    { op: 'remove', path: '/nothing' },
    { op: 'replace', path: '/nothing', value: 1 },
    { op: 'add', path: '/a/b/7', value: 1 },
    { op: 'add', path: '/no/parent', value: 1 },
  ])('is refused as a whole: $op $path', (operation) => {
    expect(() => applyJsonPatch(target, [operation])).toThrow(
      'the server rejected our request due to an error in our request',
    );
  });
});

describe('a strategic merge patch', () => {
  const pod = (spec: object): JsonObject => ({ spec }) as JsonObject;
  const shape = builtInShape('Pod');
  const a = { name: 'a', image: 'a:1' };
  const b = { name: 'b', image: 'b:1' };

  test.each([
    {
      name: 'merges containers by name and puts new ones where it lists them',
      target: { containers: [a, b] },
      patch: {
        containers: [
          { name: 'c', image: 'c:1' },
          { name: 'a', image: 'a:2' },
        ],
      },
      result: { containers: [{ name: 'c', image: 'c:1' }, { name: 'a', image: 'a:2' }, b] },
    },
    {
      name: 'keeps the order that $setElementOrder gives',
      target: { containers: [a, b] },
      patch: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      result: { containers: [b, a] },
    },
    {
      name: 'deletes one item',
      target: { containers: [a, b] },
      patch: { containers: [{ name: 'a', $patch: 'delete' }] },
      result: { containers: [b] },
    },
    {
      name: 'replaces a whole list',
      target: { containers: [a, b] },
      patch: { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      result: { containers: [{ name: 'c' }] },
    },
    {
      name: 'merges ports by number and environment by name, deep inside',
      target: {
        containers: [{ ...a, env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80 }] }],
      },
      patch: {
        containers: [
          {
            name: 'a',
            env: [{ name: 'Y', value: '2' }],
            ports: [{ containerPort: 80, name: 'web' }],
          },
        ],
      },
      result: {
        containers: [
          {
            ...a,
            env: [
              { name: 'Y', value: '2' },
              { name: 'X', value: '1' },
            ],
            ports: [{ containerPort: 80, name: 'web' }],
          },
        ],
      },
    },
    {
      name: 'replaces tolerations, which have no key',
      target: { tolerations: [{ key: 'x' }] },
      patch: { tolerations: [{ key: 'y' }] },
      result: { tolerations: [{ key: 'y' }] },
    },
    {
      name: 'keeps only the named keys of a volume',
      target: { volumes: [{ name: 'v', emptyDir: {} }] },
      patch: {
        volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }],
      },
      result: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
    },
    {
      name: 'replaces an object',
      target: { securityContext: { runAsUser: 1, fsGroup: 2 } },
      patch: { securityContext: { $patch: 'replace', fsGroup: 3 } },
      result: { securityContext: { fsGroup: 3 } },
    },
  ])('$name', ({ target, patch, result }) => {
    expect(applyStrategicMerge(pod(target), pod(patch), shape)).toEqual(pod(result));
  });

  test('adds to finalizers and takes from them', () => {
    const target = { metadata: { finalizers: ['a/a', 'b/b'] } };
    const patch = {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['a/a'], finalizers: ['c/c'] },
    };
    const { metadata } = applyStrategicMerge(target, patch, shape);
    expect(metadata).toEqual({ finalizers: ['c/c', 'b/b'] });
  });

  test('needs the key of each item', () => {
    const patch = pod({ containers: [{ image: 'x' }] });
    expect(() => applyStrategicMerge(pod({ containers: [a] }), patch, shape)).toThrow(
      'does not contain declared merge key: name',
    );
  });
});
