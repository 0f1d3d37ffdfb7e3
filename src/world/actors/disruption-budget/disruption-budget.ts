import {
  type PodDisruptionBudgetObject,
  type PodObject,
  podDisruptionBudgets,
} from '../../../api/kubernetes/core.ts';
import { deployments, replicaSets, statefulSets } from '../../../api/kubernetes/workload.ts';
import { type Condition, keyOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { selects } from '../../../core/cluster/label-selector.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { isSame } from '../canonical-json.ts';
import { controllerOf } from '../controller-reference.ts';
import { type PodIndex, podIndex, podSettleMs } from '../pod-index.ts';
import { isReady, isTerminal, isTerminating } from '../pod-state.ts';
import type { Stage } from '../stage.ts';
import { allowance, needsScale } from './allowance.ts';

/** How long an eviction that was granted may take before it no longer counts. */
const grantedEvictionMs = 120_000;

type BudgetStatus = NonNullable<PodDisruptionBudgetObject['status']> & {
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly conditions?: readonly Condition[];
};

/** Keeps the status that the Eviction API decides by. */
export function runDisruptionBudgets(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const budgets = stage.informer(podDisruptionBudgets);
  budgets.addIndex('namespace', (budget) => [budget.metadata.namespace ?? '']);
  const loop = stage.loop('disruption', (key) => reconcile(stage, index, key));
  budgets.onChange(({ object }) => loop.enqueue(keyOf(object)));
  index.informer.onChange(({ object, previous }) => {
    for (const budget of budgets.by('namespace', object.metadata.namespace ?? '')) {
      const isMeant = [object, previous].some(
        (pod) => pod !== undefined && selects(budget.spec.selector, pod.metadata.labels),
      );
      if (isMeant) loop.enqueueAfter(keyOf(budget), podSettleMs);
    }
  });
  for (const workload of [deployments, replicaSets, statefulSets]) {
    stage.informer(workload).onChange(({ object, previous }) => {
      if (previous?.spec.replicas === object.spec.replicas && previous !== object) return;
      const inSpace = budgets.by('namespace', object.metadata.namespace ?? '');
      for (const budget of inSpace) loop.enqueue(keyOf(budget));
    });
  }
  return loop.done;
}

async function reconcile(stage: Stage, index: PodIndex, key: string): Promise<Requeue> {
  const informer = stage.informer(podDisruptionBudgets);
  const budget = informer.get(key);
  if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return onChange;
  const pods = index
    .inNamespace(budget.metadata.namespace ?? '')
    .filter((pod) => selects(budget.spec.selector, pod.metadata.labels) && !isTerminal(pod));
  const disrupted = stillDisrupted(stage, budget, pods);
  const status = statusOf(stage, budget, { pods, disrupted });
  if (!isSame(status, budget.status ?? {})) {
    // With its resourceVersion: the Eviction API writes the same fields, and must not be undone.
    informer.apply(
      await stage.ports.kube.update(podDisruptionBudgets, { ...budget, status }, 'status'),
    );
  }
  const times = Object.values(disrupted).map((time) => Date.parse(time) + grantedEvictionMs);
  if (times.length === 0) return onChange;
  return after(Math.max(1, Math.min(...times) - stage.ports.clock.nowMs()));
}

/** Evictions that were granted and have not shown yet; those pods count as unhealthy already. */
function stillDisrupted(
  stage: Stage,
  budget: PodDisruptionBudgetObject,
  pods: readonly PodObject[],
): Readonly<Record<string, string>> {
  const nowMs = stage.ports.clock.nowMs();
  const granted = (budget.status as BudgetStatus | undefined)?.disruptedPods ?? {};
  const present = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  const kept = Object.entries(granted).filter(([name, time]) => {
    const pod = present.get(name);
    if (pod === undefined || isTerminating(pod)) return false;
    return Date.parse(time) + grantedEvictionMs > nowMs;
  });
  return Object.fromEntries(kept);
}

function statusOf(
  stage: Stage,
  budget: PodDisruptionBudgetObject,
  view: {
    readonly pods: readonly PodObject[];
    readonly disrupted: Readonly<Record<string, string>>;
  },
): BudgetStatus {
  const { pods, disrupted } = view;
  const { minAvailable, maxUnavailable } = budget.spec;
  const scale = needsScale(budget.spec) ? scaleOf(stage, pods) : 0;
  const healthy = pods.filter(
    (pod) => isReady(pod) && !isTerminating(pod) && disrupted[pod.metadata.name] === undefined,
  ).length;
  const matching = pods.length;
  const asked = { minAvailable, maxUnavailable, matching, healthy };
  const counts = allowance({ ...asked, scale: typeof scale === 'number' ? scale : 0 });
  const problem = typeof scale === 'number' ? undefined : scale.problem;
  const { conditions: former, disruptedPods: _, ...rest } = (budget.status ?? {}) as BudgetStatus;
  return {
    ...rest,
    ...counts,
    ...(problem !== undefined && { disruptionsAllowed: 0 }),
    observedGeneration: budget.metadata.generation ?? 0,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    conditions: [condition(stage, { budget, former, problem, counts })],
  };
}

/** What the controllers of the pods ask for, each counted once. Pods without one count nothing. */
function scaleOf(stage: Stage, pods: readonly PodObject[]): number | { readonly problem: string } {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined || scales.has(owner.uid)) continue;
    const found = scaleOfController(stage, pod.metadata.namespace ?? '', owner);
    if (found === undefined)
      return {
        problem: `${owner.kind.toLowerCase()}s.${owner.apiVersion.split('/')[0]} does not implement the scale subresource`,
      };
    scales.set(owner.uid, 0);
    scales.set(found.uid, found.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

function scaleOfController(
  stage: Stage,
  namespace: string,
  owner: { readonly kind: string; readonly name: string; readonly uid: string },
): { readonly uid: string; readonly replicas: number } | undefined {
  const key = `${namespace}/${owner.name}`;
  if (owner.kind === 'StatefulSet') {
    const replicas = stage.informer(statefulSets).get(key)?.spec.replicas ?? 0;
    return { uid: owner.uid, replicas };
  }
  if (owner.kind !== 'ReplicaSet') return undefined;
  const set = stage.informer(replicaSets).get(key);
  const parent = set === undefined ? undefined : controllerOf(set);
  if (parent?.kind !== 'Deployment') return { uid: owner.uid, replicas: set?.spec.replicas ?? 0 };
  const deployment = stage.informer(deployments).get(`${namespace}/${parent.name}`);
  return { uid: parent.uid, replicas: deployment?.spec.replicas ?? 0 };
}

function condition(
  stage: Stage,
  view: {
    readonly budget: PodDisruptionBudgetObject;
    readonly former: readonly Condition[] | undefined;
    readonly problem: string | undefined;
    readonly counts: { readonly disruptionsAllowed: number };
  },
): Condition {
  const { budget, former, problem, counts } = view;
  const isAllowed = problem === undefined && counts.disruptionsAllowed > 0;
  const status = isAllowed ? 'True' : 'False';
  const failure = problem === undefined ? 'InsufficientPods' : 'SyncFailed';
  const previous = former?.find((entry) => entry.type === 'DisruptionAllowed');
  const now = timestamp(stage.ports.clock.nowMs());
  return {
    type: 'DisruptionAllowed',
    status,
    reason: isAllowed ? 'SufficientPods' : failure,
    message: problem ?? '',
    observedGeneration: budget.metadata.generation ?? 0,
    lastTransitionTime: (previous?.status === status ? previous.lastTransitionTime : now) ?? now,
  };
}
