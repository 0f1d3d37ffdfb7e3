import { add, type Resources } from '../../../../core/quantity/resources.ts';
import { compareText } from '../../../../core/text-order.ts';
import type { NodeState } from '../node-state.ts';
import type { SchedulingPod } from '../placed-pod.ts';
import type { Rejection, Rule } from '../rule.ts';

/** Every requested resource is free on the node, and a pod slot with it. */
export const resources: Rule = {
  name: 'NodeResourcesFit',
  prepare(pod, cluster) {
    const wanted = Object.entries(pod.requests)
      .filter(([name, amount]) => amount > 0 && name !== 'pods')
      .sort(([a], [b]) => rank(a) - rank(b) || compareText(a, b));
    return (node) => judge(wanted, node, cluster.promisedTo(node.name, pod));
  },
};

function judge(
  wanted: readonly (readonly [string, number])[],
  node: NodeState,
  promised: readonly SchedulingPod[],
): Rejection | undefined {
  let reasons: string[] | undefined;
  let couldPreempt = true;
  const { allocatable } = node;
  const requested = promised.reduce((sum, pod) => add(sum, pod.requests), node.requested);
  const slots = allocatable.pods ?? 0;
  if (node.pods.size + promised.length + 1 > slots) reasons = ['Too many pods'];
  for (const [name, amount] of wanted) {
    if (amount <= free(name, allocatable, requested)) continue;
    reasons ??= [];
    reasons.push(`Insufficient ${name}`);
    if (amount > (allocatable[name] ?? 0)) couldPreempt = false;
  }
  return reasons === undefined ? undefined : { reasons, couldPreempt };
}

function free(name: string, allocatable: Resources, requested: Resources): number {
  return (allocatable[name] ?? 0) - (requested[name] ?? 0);
}

const shownFirst = ['cpu', 'memory', 'ephemeral-storage'];

function rank(name: string): number {
  const index = shownFirst.indexOf(name);
  return index < 0 ? shownFirst.length : index;
}
