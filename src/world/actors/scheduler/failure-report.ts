import { events, type PodObject, pods } from '../../../api/kubernetes/core.ts';
import { type Condition, conditionOf, keyOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { isKubeError } from '../../../ports/kube.ts';
import { hexDigits } from '../../../ports/random.ts';
import { inParallel } from '../in-parallel.ts';
import type { ActorPorts } from '../stage.ts';

const firstPauseMs = 5_000;
const longestPauseMs = 30_000;

/** A pod that no node takes. */
export interface FailedPod {
  readonly pod: PodObject;
  readonly message: string;
  /** It is nominated no longer, whoever nominated it, which the pod does not say yet. */
  readonly hasLostNomination: boolean;
}

interface Report {
  readonly uid: string;
  readonly eventName: string;
  message: string;
  count: number;
  pauseMs: number;
  /** Until then a changed message waits, lest every new node rewrite every waiting pod. */
  notBeforeMs: number;
}

/** Tells waiting pods why they wait: the PodScheduled condition and a FailedScheduling event. */
export class FailureReports {
  readonly #ports: ActorPorts;
  readonly #reports = new Map<string, Report>();

  constructor(ports: ActorPorts) {
    this.#ports = ports;
  }

  forget(key: string): void {
    this.#reports.delete(key);
  }

  /**
   * Writes what is new and due, and at once who is nominated no longer. Answers in how many milliseconds a message that is new but not
   * due yet can be written, undefined when everything has been told.
   */
  async tell(failures: readonly FailedPod[]): Promise<number | undefined> {
    const now = this.#ports.clock.nowMs();
    let nextMs: number | undefined;
    const due: { readonly failure: FailedPod; readonly report: Report }[] = [];
    for (const failure of failures) {
      const { pod, message, hasLostNomination } = failure;
      const report = this.#reportOn(pod);
      if (report.message === message && !hasLostNomination) continue;
      if (report.notBeforeMs > now && !hasLostNomination) {
        nextMs = Math.min(nextMs ?? longestPauseMs, report.notBeforeMs - now);
        continue;
      }
      report.message = message;
      report.count++;
      report.notBeforeMs = now + report.pauseMs;
      report.pauseMs = Math.min(longestPauseMs, report.pauseMs * 2);
      due.push({ failure, report });
    }
    await inParallel(due, 16, ({ failure, report }) => this.#write(failure, report));
    return nextMs;
  }

  #reportOn(pod: PodObject): Report {
    const key = keyOf(pod);
    const uid = pod.metadata.uid ?? '';
    const known = this.#reports.get(key);
    if (known?.uid === uid) return known;
    const eventName = `${pod.metadata.name}.${hexDigits(this.#ports.random, 16)}`;
    const report: Report = {
      uid,
      eventName,
      message: '',
      count: 0,
      pauseMs: firstPauseMs,
      notBeforeMs: 0,
    };
    this.#reports.set(key, report);
    return report;
  }

  async #write(failure: FailedPod, report: Report): Promise<void> {
    try {
      await this.#writeCondition(failure);
      await this.#writeEvent(failure.pod, report);
    } catch (error) {
      // The pod, or its namespace, went away meanwhile: nobody is left to be told.
      if (!isKubeError(error, 'not-found', 'forbidden', 'conflict')) throw error;
    }
  }

  async #writeCondition({ pod, message, hasLostNomination }: FailedPod): Promise<void> {
    const former = conditionOf(pod, 'PodScheduled');
    const isUnchanged = former?.status === 'False';
    const now = timestamp(this.#ports.clock.nowMs());
    const condition: Condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: (isUnchanged ? former.lastTransitionTime : undefined) ?? now,
    };
    const others = (pod.status?.conditions ?? []).filter((c) => c.type !== 'PodScheduled');
    const { name, namespace } = pod.metadata;
    await this.#ports.kube.patch(
      pods,
      { name, namespace },
      {
        type: 'merge',
        subresource: 'status',
        body: {
          metadata: { uid: pod.metadata.uid },
          status: {
            conditions: [...others, condition],
            ...(hasLostNomination ? { nominatedNodeName: null } : {}),
          },
        },
      },
    );
  }

  async #writeEvent(pod: PodObject, report: Report): Promise<void> {
    const { kube, clock } = this.#ports;
    const { name, namespace = 'default', uid = '' } = pod.metadata;
    const now = timestamp(clock.nowMs());
    const { message, count, eventName } = report;
    if (count > 1) {
      const body = { message, count, lastTimestamp: now };
      await kube.patch(events, { name: eventName, namespace }, { type: 'merge', body });
      return;
    }
    await kube.create(events, {
      metadata: { name: eventName, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
      reason: 'FailedScheduling',
      message,
      type: 'Warning',
      count,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component: 'default-scheduler' },
    });
  }
}
