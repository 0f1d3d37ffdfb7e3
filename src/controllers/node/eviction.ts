import { type PodDisruptionBudgetObject, pods } from '../../api/kubernetes/core.ts';
import { conditionOf } from '../../api/resource.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { DrainStep } from '../../core/disruption/drain.ts';
import { drainBlocked } from '../../core/explain/disruption.ts';
import { isKubeError, KubeError } from '../../ports/kube.ts';
import { budgetsOf, isRefused } from '../cluster-state/disruption-budgets.ts';
import type { Context } from '../context.ts';
import { whyHeld } from './held-pod.ts';
import type { LeavingNode } from './termination.ts';

interface Attempt {
  readonly failures: number;
  readonly nextAtMs: number;
  /** What was told about it already, so that it is not told every few seconds. */
  readonly told: string;
}

const minBackoffMs = 100;
const maxBackoffMs = 10_000;

/**
 * Evicts pods and remembers which ones were refused, so that each is asked for less and less often,
 * and one that a disruption budget holds not before that has changed.
 */
export class EvictionDesk {
  readonly #context: Context;
  readonly #attempts = new Map<string, Attempt>();
  /** By pod that a budget holds: where it is. */
  readonly #held = new Map<string, { readonly namespace: string; readonly nodeName: string }>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Carries out one step of a drain. Answers when to come back for pods that were refused. */
  async work(leaving: LeavingNode, step: DrainStep): Promise<number | undefined> {
    for (const { pod, gracePeriodSeconds } of step.force) {
      await this.#force(leaving, pod, gracePeriodSeconds);
    }
    for (const pod of step.evict) await this.#evict(leaving, pod);
    for (const pod of step.protectedPods) {
      this.#tell(leaving, pod, 'its owner has annotated it do-not-disrupt');
    }
    return this.#retryInMs(step.evict);
  }

  /** Forgets what is known of a pod that is gone. */
  forget(podUid: string): void {
    this.#attempts.delete(podUid);
    this.#held.delete(podUid);
  }

  /** The nodes of pods that are held by a budget of the namespace. */
  nodesHeldIn(namespace: string): ReadonlySet<string> {
    const held = [...this.#held.values()].filter((one) => one.namespace === namespace);
    return new Set(held.map(({ nodeName }) => nodeName));
  }

  async #evict(leaving: LeavingNode, pod: Pod): Promise<void> {
    const { ports, meters, informers } = this.#context;
    const { namespace, name, uid } = pod;
    const guards = budgetsOf(informers.budgets, pod);
    const isAsked = this.#attempts.has(uid);
    if (isAsked && isRefused(guards, informers.pods.get(`${namespace}/${name}`)))
      return this.#hold(leaving, pod, guards);
    const nowMs = ports.clock.nowMs();
    const isFree = this.#held.delete(uid);
    if (!isFree && (this.#attempts.get(uid)?.nextAtMs ?? nowMs) > nowMs) return;
    try {
      await ports.kube.evict({ namespace, name }, { uid });
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      meters.podsEvicted.add(1, { code: String(error.status) });
      this.#refused(leaving, pod, error);
      return;
    }
    meters.podsEvicted.add(1, { code: '200' });
    this.#evicted(leaving, pod);
  }

  /** Nothing is asked, and once the budget gives way nothing is waited for. */
  #hold(leaving: LeavingNode, pod: Pod, guards: readonly PodDisruptionBudgetObject[]): void {
    const { uid, namespace } = pod;
    const told = this.#attempts.get(uid)?.told ?? '';
    this.#held.set(uid, { namespace, nodeName: leaving.node.metadata.name });
    this.#attempts.set(uid, { failures: 0, nextAtMs: 0, told });
    this.#tell(leaving, pod, whyHeld(pod, guards));
  }

  #evicted({ claim }: LeavingNode, pod: Pod): void {
    const { meters, ports, informers } = this.#context;
    this.#attempts.delete(pod.uid);
    const why = claim === undefined ? undefined : conditionOf(claim, 'DisruptionReason')?.reason;
    const reason = why ?? 'Forceful Termination';
    meters.podsDrained.add(1, { reason });
    const about = informers.pods.get(`${pod.namespace}/${pod.name}`);
    if (about === undefined) return;
    const message = `Evicted from its node: ${reason}`;
    ports.events.publish({ about, type: 'Normal', reason: 'Evicted', message });
  }

  #refused(leaving: LeavingNode, pod: Pod, error: KubeError): void {
    // Gone already, or another pod of the same name: the watch will tell.
    if (error.kind === 'not-found' || error.kind === 'conflict') {
      this.forget(pod.uid);
      return;
    }
    const guards = budgetsOf(this.#context.informers.budgets, pod);
    const isBudget = error.kind === 'too-many-requests' || guards.length > 1;
    const failures = (this.#attempts.get(pod.uid)?.failures ?? 0) + 1;
    const delayMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(failures - 1, 20));
    const nextAtMs = this.#context.ports.clock.nowMs() + (error.retryAfterMs ?? delayMs);
    const told = this.#attempts.get(pod.uid)?.told ?? '';
    this.#attempts.set(pod.uid, { failures, nextAtMs, told });
    this.#tell(leaving, pod, isBudget ? whyHeld(pod, guards) : error.message);
  }

  #tell({ node }: LeavingNode, pod: Pod, why: string): void {
    const { ports } = this.#context;
    const nodeName = node.metadata.name;
    const decision = drainBlocked({ nodeName, pod, why });
    const attempt = this.#attempts.get(pod.uid) ?? { failures: 0, nextAtMs: 0, told: '' };
    ports.events.publish({
      about: node,
      type: 'Warning',
      reason: 'FailedDraining',
      message: decision.sentence,
    });
    if (attempt.told === why) return;
    this.#attempts.set(pod.uid, { ...attempt, told: why });
    ports.decisions.record(decision);
  }

  async #force(leaving: LeavingNode, pod: Pod, gracePeriodSeconds: number): Promise<void> {
    const { ports, informers } = this.#context;
    const { namespace, name, uid } = pod;
    try {
      const deleted = await ports.kube.delete(
        pods,
        { namespace, name },
        { uid, gracePeriodSeconds },
      );
      if (deleted !== undefined) informers.pods.apply(deleted);
    } catch (error) {
      if (!isKubeError(error, 'conflict')) throw error;
    }
    const about = informers.pods.get(`${namespace}/${name}`);
    if (about === undefined) return;
    const message = `Deleted since node ${leaving.node.metadata.name} reaches the end of its termination grace period`;
    ports.events.publish({ about, type: 'Normal', reason: 'Disrupted', message });
  }

  #retryInMs(asked: readonly Pod[]): number | undefined {
    const nowMs = this.#context.ports.clock.nowMs();
    const times = asked.flatMap((pod) => {
      const attempt = this.#attempts.get(pod.uid);
      return attempt === undefined || this.#held.has(pod.uid)
        ? []
        : [Math.max(1, attempt.nextAtMs - nowMs)];
    });
    return times.length > 0 ? Math.min(...times) : undefined;
  }
}
