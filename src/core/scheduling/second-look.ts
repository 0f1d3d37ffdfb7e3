import type { InstanceType } from '../catalog/instance-type.ts';
import type { Pod } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Pool, Snapshot } from '../cluster/snapshot.ts';
import { noResources } from '../quantity/resources.ts';
import { labels } from '../requirements/well-known.ts';
import { type GroupRule, spreadRule, termRule } from './between-pods/group.ts';
import type { Given } from './groundwork.ts';
import type { NewNode, Placement, Plan } from './plan.ts';
import { aftermathOf } from './refusing/refusal-aftermath.ts';
import { surveying } from './site.ts';
import { Solution } from './solution.ts';

/** More classes than these are not looked at again. */
const mostClasses = 32;

/** Who has which place so far, and who has none. */
export interface Answer {
  readonly placements: readonly Placement[];
  readonly newNodes: readonly NewNode[];
  readonly left: ReadonlyMap<PodClass, readonly Pod[]>;
}

/**
 * Asks again, for one class at a time, whether there is a place after all. Rules of pods that
 * found no place themselves settle the zones of others, and a single zone may have too few types
 * for `minValues`; without them the node may be bought in any zone.
 */
export function* lookAgain(given: Given, first: Answer): Generator<void, Answer> {
  const isStrict = given.settings.minValuesPolicy === 'Strict';
  const { pools } = given.snapshot;
  if (!isStrict || pools.every(({ minValues }) => minValues === undefined)) return first;
  let answer = first;
  const loose: Pod[] = [];
  for (const podClass of [...first.left.keys()].slice(0, mostClasses)) {
    // Whose zone was left open for want of types can be no company, and nobody to keep away from.
    if (isTiedTo(loose, podClass.sample, given.snapshot)) continue;
    answer = yield* placeAlone(given, answer, podClass);
    const left = new Set(answer.left.get(podClass));
    loose.push(...podClass.pods.filter((pod) => !left.has(pod)));
    yield;
  }
  return answer;
}

/** Whether a rule of the pod about more than one node looks at one of the others. */
function isTiedTo(others: readonly Pod[], pod: Pod, { namespaces }: Snapshot): boolean {
  const rules: readonly GroupRule[] = [
    ...(pod.spread ?? []).filter(({ isHard }) => isHard).map((one) => spreadRule(pod, one)),
    ...[...(pod.affinity ?? []), ...(pod.antiAffinity ?? [])].map((term) =>
      termRule('affinity', [term], { key: term.topologyKey, isHard: true, namespaces }),
    ),
  ];
  return rules.some(({ key, matches }) => key !== labels.hostname && others.some(matches));
}

function* placeAlone(given: Given, before: Answer, podClass: PodClass): Generator<void, Answer> {
  const pods = before.left.get(podClass) ?? [];
  if (pods.length === 0) return before;
  const snapshot = withFullOrders(given, before);
  const classes = [{ ...podClass, pods }];
  const site = yield* surveying(snapshot, classes);
  const solution = yield* Solution.find({ ...given, snapshot, classes, site }, 'one by one');
  const [own] = classes;
  if (own === undefined || solution.isHalfKept) return before;
  return {
    placements: [...before.placements, ...solution.placements],
    newNodes: [...before.newNodes, ...solution.newNodes.map((node) => asOrdered(node, given))],
    left: new Map([...before.left, [podClass, solution.unplaced.get(own) ?? []]]),
  };
}

/** The cluster once the answer is carried out; nodes that it orders take nobody else. */
function withFullOrders({ snapshot, settings }: Given, answer: Answer): Snapshot {
  const unplaced: Plan['unplaced'] = [];
  const after = aftermathOf(snapshot, { ...answer, unplaced }, settings);
  return {
    ...after.snapshot,
    nodes: after.snapshot.nodes.map((node) =>
      after.planned.has(node.name) ? { ...node, allocatable: noResources } : node,
    ),
  };
}

/** The order with the pool and types of the snapshot in place of those of the aftermath. */
function asOrdered(node: NewNode, { snapshot }: Given): NewNode {
  const pool = snapshot.pools.find(({ name }) => name === node.pool.name) ?? node.pool;
  return { ...node, pool, instanceTypes: node.instanceTypes.map((type) => typeIn(pool, type)) };
}

function typeIn({ instanceTypes }: Pool, type: InstanceType): InstanceType {
  return instanceTypes.find(({ name }) => name === type.name) ?? type;
}
