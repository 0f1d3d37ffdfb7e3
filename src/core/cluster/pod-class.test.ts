import { expect, test } from 'vitest';
import { aPod } from '../../../test/validator/builders.ts';
import { classesOf, classing } from './pod-class.ts';

const names = Array.from({ length: 1_000 }, (_, index) => `pod-${index}`);

test('pods that ask for the same are one class, however their requests are written', () => {
  const [one, ...others] = classesOf([
    aPod({ name: 'a', requests: { cpu: 100, memory: 1, pods: 1 } }),
    aPod({ name: 'b', requests: { pods: 1, memory: 1, cpu: 100, 'example.com/gpu': 0 } }),
  ]);
  expect(others).toEqual([]);
  expect(one?.pods.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a device sets a pod apart', () => {
  const plain = aPod({ name: 'a', cpuMillis: 100 });
  const accelerated = aPod({ name: 'b', cpuMillis: 100, requests: { 'example.com/gpu': 1 } });
  expect(classesOf([plain, accelerated])).toHaveLength(2);
});

test('classes are found in steps of no more than a few hundred pods', () => {
  const steps = classing(names.map((name) => aPod({ name, cpuMillis: 100 })));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThanOrEqual(4);
});

test('the order in which pods come makes no difference', () => {
  const pods = names.slice(0, 50).map((name, index) => aPod({ name, cpuMillis: index % 5 }));
  expect(classesOf([...pods].reverse())).toEqual(classesOf(pods));
});

test('important pods are served first, then large ones', () => {
  const sizes = [
    { name: 'small', cpuMillis: 100, priority: 0 },
    { name: 'important', cpuMillis: 1, priority: 9 },
    { name: 'large', cpuMillis: 200, priority: 0 },
  ];
  const classes = classesOf(sizes.map((size) => aPod(size)));
  expect(classes.map(({ sample }) => sample.name)).toEqual(['important', 'large', 'small']);
});

test('every class has a key of its own, in whatever order the pods come', () => {
  const spread = [
    {
      topologyKey: 'zone',
      maxSkew: 1,
      isHard: true,
      selector: { matchLabels: { app: 'a' } },
      honorsNodeAffinity: true,
      honorsTaints: false,
    },
  ];
  const pods = names.slice(0, 60).map((name, index) =>
    aPod({
      name,
      cpuMillis: index % 3,
      labels: { app: 'abcde'.charAt(index % 5) },
      ...(index % 2 === 0 ? {} : { spread }),
    }),
  );
  const classes = classesOf(pods);
  expect(new Set(classes.map(({ key }) => key)).size).toBe(30);
  expect(classesOf([...pods].reverse())).toEqual(classes);
});
