import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCaseWithAllRules } from '../../../test/validator/random-cluster.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import { decodeNode } from '../../api/decode/node.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { Node, Pool } from '../../core/cluster/snapshot.ts';
import type { NewNode } from '../../core/scheduling/plan.ts';
import { solve } from '../../core/scheduling/solve.ts';
import { claimOf } from './claim-of.ts';

function manifestOf({ name, uid, taints }: Pool): NodePool {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  return {
    metadata: { name, uid },
    spec: {
      template: {
        spec: {
          requirements: [],
          taints: taints.map(({ key, value = '', effect }) => ({ key, value, effect })),
          nodeClassRef,
        },
      },
    },
  };
}

/** The order as it is seen until its machine is launched. */
function ordered(node: NewNode, index: number): Node {
  const name = `order-${index}`;
  const claim: NodeClaim = { ...claimOf(node, manifestOf(node.pool), name) } as NodeClaim;
  return decodeNode({
    claim: { ...claim, metadata: { ...claim.metadata, name } },
    pods: [],
    reservedFor: node.pods.map(({ uid }) => uid),
    instanceTypes: node.pool.instanceTypes,
  });
}

test('pods that come while machines are on order fit there, whichever machines come', () => {
  fc.assert(
    fc.property(randomCaseWithAllRules, randomCaseWithAllRules, (now, later) => {
      const { newNodes } = solve(now.snapshot, now.pods);
      const nodes = [...now.snapshot.nodes, ...newNodes.map(ordered)];
      const snapshot = { ...now.snapshot, nodes };
      const newcomers = later.pods.map((pod) => ({ ...pod, uid: `later-${pod.uid}` }));
      const waiting = [...newNodes.flatMap((node) => node.pods), ...newcomers];
      expect(validatePlan(snapshot, waiting, solve(snapshot, waiting))).toEqual([]);
    }),
    { numRuns: 60, seed: 4 },
  );
});
