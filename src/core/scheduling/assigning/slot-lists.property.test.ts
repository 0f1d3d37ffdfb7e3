import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aNode, aPod, aSnapshot, gibibyte } from '../../../../test/validator/builders.ts';
import { Workspace } from '../../cluster/workspace.ts';
import { noRequirements } from '../../requirements/requirements.ts';
import { SlotLists } from './slot-lists.ts';

const amounts = fc.record({
  cpu: fc.constantFrom(0, 500, 1_000, 2_000),
  memory: fc.constantFrom(0, gibibyte, 2 * gibibyte),
});
const taints = fc.constantFrom([], [{ key: 'gpu', effect: 'NoSchedule' as const }]);
const cluster = fc.record({
  nodes: fc.array(fc.record({ free: amounts, taints }), { maxLength: 6 }),
  pods: fc.array(amounts, { minLength: 1, maxLength: 4 }),
});

test('a list holds every node with room for the pod that it may be on, and none that it may not', () => {
  fc.assert(
    fc.property(cluster, ({ nodes, pods: wanted }) => {
      const pods = wanted.map((requests) => aPod({ requests: { ...requests, pods: 1 } }));
      const snapshot = aSnapshot({
        nodes: nodes.map(({ free, taints: own }, index) =>
          aNode({ name: `node-${index}`, allocatable: { ...free, pods: 10 }, taints: own }),
        ),
      });
      const workspace = new Workspace(snapshot, pods);
      const needs = pods.map((pod) => workspace.need(pod));
      const lists = new SlotLists(workspace.slots, needs);
      for (const pod of pods) {
        const list = lists.of({ requirements: noRequirements, pod, isPatient: false });
        const isListed = (slot: (typeof list)[number]): boolean => list.includes(slot);
        const admitted = workspace.slots.filter((slot) => workspace.admits(pod, slot));
        const roomy = admitted.filter((slot) => workspace.room(pod, slot) > 0);
        expect(roomy.filter(isListed)).toEqual(roomy);
        expect(list.filter((slot) => admitted.includes(slot))).toEqual(list);
      }
    }),
    { numRuns: 500 },
  );
});

test('nodes that are too full for every pod are left out, and lists that ask the same are one', () => {
  const pods = [
    aPod({ requests: { cpu: 500, pods: 1 } }),
    aPod({ requests: { cpu: 1_000, pods: 1 } }),
  ];
  const full = aNode({ name: 'full', allocatable: { cpu: 499, pods: 10 } });
  const small = aNode({ name: 'small', allocatable: { cpu: 500, pods: 10 } });
  const workspace = new Workspace(aSnapshot({ nodes: [full, small] }), pods);
  const lists = new SlotLists(
    workspace.slots,
    pods.map((pod) => workspace.need(pod)),
  );
  const [listA, listB] = pods.map((pod) =>
    lists.of({ requirements: noRequirements, pod, isPatient: false }),
  );
  expect(listA?.map(({ name }) => name)).toEqual(['small']);
  expect(listB).toBe(listA);
});
