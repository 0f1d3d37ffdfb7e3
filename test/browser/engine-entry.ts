import { answerOf } from '../../bench/answer.ts';
import { questionOf } from '../../bench/cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from '../../bench/cluster/instance-types.ts';
import { scenarioOf } from '../../bench/cluster/scenario.ts';
import type { KubeObject } from '../../src/api/resource.ts';
import { solve } from '../../src/core/scheduling/solve.ts';

/** Decodes the objects and plans for their pods; the plan as text, every node, pod and reason. */
export function planText(scenario: string, types: string): string {
  const objects = scenarioOf(JSON.parse(scenario) as { items: readonly KubeObject[] });
  const instanceTypes = instanceTypesOf(JSON.parse(types) as readonly RawInstanceType[]);
  const { snapshot, pods } = questionOf(objects, instanceTypes);
  const plan = solve(snapshot, pods);
  const placements = plan.placements.map(({ pod, nodeName }) => [pod.name, nodeName]);
  const orders = plan.newNodes.map((node) => node.instanceTypes.map(({ name }) => name));
  const remedies = plan.unplaced.map(({ refusal }) => refusal.remedies);
  return JSON.stringify({ ...answerOf(plan, pods.length), placements, orders, remedies });
}
