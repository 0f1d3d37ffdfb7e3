import { expect, test } from 'vitest';
import type { Resources } from '../../quantity/resources.ts';
import type { OpenNode } from '../packing/open-node.ts';
import { RequestSums } from './request-sums.ts';

const small: Resources = { cpu: 100, pods: 1 };
const large: Resources = { cpu: 900, memory: 5, pods: 1 };
const daemons: Resources = { cpu: 10 };

/** A node with so many pods of each size. */
function nodeWith(...guests: readonly (readonly [each: Resources, times: number])[]): OpenNode {
  const list = guests.map(([requests, times]) => ({
    // Whoever needs the same has the same vector, which is all that is looked at.
    demand: { need: requests, podClass: { sample: { requests } } },
    pods: Array.from({ length: times }),
  }));
  return { guests: list } as unknown as OpenNode;
}

test('All pods and daemons of a node are added up', () => {
  const sum = new RequestSums().of(nodeWith([small, 2], [large, 1]), daemons);
  expect(sum).toEqual({ cpu: 1_110, memory: 5, pods: 3 });
});

test('Nodes in a row that are filled alike share one sum', () => {
  const sums = new RequestSums();
  const first = sums.of(nodeWith([small, 2], [large, 1]), daemons);
  expect(sums.of(nodeWith([small, 2], [large, 1]), daemons)).toBe(first);
});

test.each([
  { what: 'more of its pods', node: nodeWith([small, 3]), cpu: 310 },
  { what: 'pods of another size', node: nodeWith([large, 2]), cpu: 1_810 },
  { what: 'pods of a further size', node: nodeWith([small, 2], [large, 1]), cpu: 1_110 },
  { what: 'fewer of its pods', node: nodeWith([small, 1]), cpu: 110 },
  { what: 'other daemons', node: nodeWith([small, 2]), cpu: 220, with: { cpu: 20 } },
])('A node with $what than the last one has a sum of its own', ({ node, cpu, with: own }) => {
  const sums = new RequestSums();
  sums.of(nodeWith([small, 2]), daemons);
  expect(sums.of(node, own ?? daemons).cpu).toBe(cpu);
});

test('A node with fewer sizes than the last one has a sum of its own', () => {
  const sums = new RequestSums();
  sums.of(nodeWith([small, 2], [large, 1]), daemons);
  expect(sums.of(nodeWith([small, 2]), daemons)).toEqual({ cpu: 210, pods: 2 });
});
