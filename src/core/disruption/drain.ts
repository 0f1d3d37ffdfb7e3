import { isProtected, type Pod, type Taint, tolerates } from '../cluster/pod.ts';
import { taintKeys } from '../requirements/well-known.ts';
import { compareText } from '../text-order.ts';

/** Pods that are more than this past their end hold nothing up any more. */
const stuckAfterMs = 60_000;

const disrupted: Taint = { key: taintKeys.disrupted, effect: 'NoSchedule' };

const criticalClasses: ReadonlySet<string> = new Set([
  'system-cluster-critical',
  'system-node-critical',
]);

export interface DrainInput {
  readonly pods: readonly Pod[];
  readonly nowMs: number;
  /** When the node goes, come what may; undefined where it waits for ever. */
  readonly deadlineMs?: number | undefined;
}

/** What to do about a node's pods now. Nothing in `waitFor` means that it is drained. */
export interface DrainStep {
  /** Everything that must be gone before the machine may go. */
  readonly waitFor: readonly Pod[];
  /** The group whose turn it is, to be evicted; disruption budgets may still say no. */
  readonly evict: readonly Pod[];
  /** Pods for which the deadline leaves no time to ask, to be deleted with this grace. */
  readonly force: readonly { readonly pod: Pod; readonly gracePeriodSeconds: number }[];
  /** Pods of the group whose owner has asked that they be left alone. */
  readonly protectedPods: readonly Pod[];
}

/**
 * The next step of a drain: daemons after the pods they serve, critical pods after all others,
 * one group at a time. Pods that stay with the node (mirrors, those that tolerate its end) and
 * pods that are over do not hold it up.
 */
export function drainStep({ pods, nowMs, deadlineMs }: DrainInput): DrainStep {
  const waitFor = pods.filter((pod) => holdsUp(pod, nowMs)).sort(byFullName);
  const mustGo = (pod: Pod): boolean =>
    deadlineMs !== undefined && isOutOfTime(pod, nowMs, deadlineMs);
  const gracePeriodSeconds = Math.max(1, Math.floor(((deadlineMs ?? nowMs) - nowMs) / 1_000));
  const group = firstGroup(waitFor.filter((pod) => !mustGo(pod)));
  const asked = group.filter((pod) => !pod.isTerminating);
  return {
    waitFor,
    force: waitFor.filter(mustGo).map((pod) => ({ pod, gracePeriodSeconds })),
    evict: asked.filter((pod) => !isProtected(pod, nowMs)),
    protectedPods: asked.filter((pod) => isProtected(pod, nowMs)),
  };
}

/** Whether the drain must wait for the pod to be gone. */
function holdsUp(pod: Pod, nowMs: number): boolean {
  if (pod.isTerminal || pod.isMirror || tolerates(pod.tolerations, disrupted)) return false;
  const isStuck = pod.isTerminating && nowMs - (pod.goneByMs ?? nowMs) > stuckAfterMs;
  return !isStuck;
}

/** A pod without a grace period is never forced: nobody has said how long its end takes. */
function isOutOfTime(pod: Pod, nowMs: number, deadlineMs: number): boolean {
  if (pod.isTerminating) return (pod.goneByMs ?? -Infinity) > deadlineMs;
  return pod.gracePeriodMs !== undefined && nowMs > deadlineMs - pod.gracePeriodMs;
}

function firstGroup(pods: readonly Pod[]): readonly Pod[] {
  const rank = (pod: Pod): number => (isCritical(pod) ? 2 : 0) + (pod.isDaemon ? 1 : 0);
  const first = Math.min(...pods.map(rank));
  return pods.filter((pod) => rank(pod) === first);
}

function isCritical(pod: Pod): boolean {
  return criticalClasses.has(pod.priorityClass ?? '');
}

function byFullName(a: Pod, b: Pod): number {
  return compareText(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`);
}
