import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aNode, aPod } from '../../../test/validator/builders.ts';
import { type CrowdQuestion, Headcount } from './headcount.ts';
import type { CrowdKind } from './node-facts.ts';
import type { Pod } from './pod.ts';
import type { Node } from './snapshot.ts';

// Few values, so that pods of one node and of several are often alike; some share the very labels.
const shared = { app: 'web', tier: 'front' };
const labels = fc.oneof(
  fc.constant(shared),
  fc.record({ app: fc.constantFrom('web', 'db') }, { requiredKeys: [] }),
);
const pod = fc.record({
  namespace: fc.constantFrom('a', 'b'),
  labels,
  isTerminating: fc.boolean(),
  isTerminal: fc.boolean(),
});
const cluster = fc
  .array(fc.array(pod, { maxLength: 6 }), { maxLength: 5 })
  .map((lists) =>
    lists.map((pods, index) =>
      aNode({ name: `node-${index}`, pods: pods.map((one) => ({ ...aPod({}), ...one })) }),
    ),
  );

const isWebInA = ({ namespace, labels: own }: CrowdKind): boolean =>
  namespace === 'a' && own.app === 'web';
const questions: readonly CrowdQuestion[] = [
  { matches: isWebInA },
  { anchor: 'app=web', matches: isWebInA },
  { matches: ({ labels: own }) => own.app === undefined },
  { anchor: 'app=nobody', matches: ({ labels: own }) => own.app === 'nobody' },
];

function counted(nodes: readonly Node[], question: CrowdQuestion): unknown {
  const rows: unknown[] = [];
  Headcount.of(nodes).forEachNode(question, ({ name }, pods) => rows.push([name, pods]));
  return rows;
}

test('it counts on every node the pods that match and neither go nor have gone', () => {
  fc.assert(
    fc.property(cluster, (nodes) => {
      for (const question of questions) {
        const isCounted = (one: Pod): boolean =>
          !one.isTerminal && !one.isTerminating && question.matches(one);
        const expected = nodes
          .map(({ name, pods }) => [name, pods.filter(isCounted).length] as const)
          .filter(([, pods]) => pods > 0);
        expect(counted(nodes, question)).toEqual(expected);
      }
    }),
    { numRuns: 500 },
  );
});
