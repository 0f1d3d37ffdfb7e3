import type {
  DeploymentObject,
  DeploymentStatus,
  ReplicaSetObject,
  WorkloadCondition,
} from '../../../api/kubernetes/workload.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { slackOf } from './rollout.ts';

export interface StatusQuestion {
  readonly deployment: DeploymentObject;
  readonly sets: readonly ReplicaSetObject[];
  readonly fresh: ReplicaSetObject | undefined;
  readonly nowMs: number;
}

/** The status to write, and when it changes by the passing of time alone. */
interface StatusAnswer {
  readonly status: DeploymentStatus;
  readonly deadlineInMs: number | undefined;
}

/** Counts over all sets, and the conditions that `kubectl rollout status` and `wait` read. */
export function deploymentStatus(question: StatusQuestion): StatusAnswer {
  const { deployment, sets, fresh } = question;
  const replicas = total(sets, 'replicas');
  const availableReplicas = total(sets, 'availableReplicas');
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas,
    updatedReplicas: fresh?.status?.replicas ?? 0,
    readyReplicas: total(sets, 'readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, total(sets, 'asked') - availableReplicas),
  };
  const progressing = progress(question, counts);
  const available = availability(question, availableReplicas);
  const others = (deployment.status?.conditions ?? []).filter(
    (condition) => condition.type !== 'Available' && condition.type !== 'Progressing',
  );
  const conditions = [...others, available, ...(progressing === undefined ? [] : [progressing])];
  const deadlineInMs = deadline(question, progressing);
  return { status: { ...deployment.status, ...counts, conditions }, deadlineInMs };
}

type Counts = Required<
  Pick<DeploymentStatus, 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'>
>;

function availability(question: StatusQuestion, available: number): WorkloadCondition {
  const { deployment } = question;
  const desired = deployment.spec.replicas ?? 1;
  const slack =
    deployment.spec.strategy?.type === 'Recreate'
      ? 0
      : slackOf(deployment.spec.strategy?.rollingUpdate, desired).unavailable;
  return available >= desired - slack
    ? condition(question, {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      })
    : condition(question, {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      });
}

function progress(question: StatusQuestion, counts: Counts): WorkloadCondition | undefined {
  const { deployment, fresh } = question;
  const former = formerOf(deployment, 'Progressing');
  const type = 'Progressing';
  if (deployment.spec.paused === true) {
    const news = { reason: 'DeploymentPaused', message: 'Deployment is paused' };
    return condition(question, { type, status: 'Unknown', ...news });
  }
  const subject =
    fresh === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${fresh.metadata.name}"`;
  const desired = deployment.spec.replicas ?? 1;
  const isComplete =
    counts.updatedReplicas === desired &&
    counts.replicas === desired &&
    counts.availableReplicas === desired;
  if (isComplete) {
    const message = `${subject} has successfully progressed.`;
    return condition(question, { type, status: 'True', reason: 'NewReplicaSetAvailable', message });
  }
  // A finished rollout that lost a pod is not a rollout under way.
  const wasComplete = former?.reason === 'NewReplicaSetAvailable';
  if (wasComplete && counts.replicas === counts.updatedReplicas) return former;
  if (former === undefined || wasComplete || hasAdvanced(deployment, counts)) {
    const message = `${subject} is progressing.`;
    const next = condition(question, {
      type,
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message,
    });
    return { ...next, lastUpdateTime: timestamp(question.nowMs) };
  }
  if (!isOverdue(question, former)) return former.status === 'Unknown' ? resumed(question) : former;
  const message = `${subject} has timed out progressing.`;
  return condition(question, {
    type,
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message,
  });
}

function resumed(question: StatusQuestion): WorkloadCondition {
  const news = { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  return condition(question, { type: 'Progressing', status: 'True', ...news });
}

function hasAdvanced(deployment: DeploymentObject, counts: Counts): boolean {
  const former = deployment.status;
  const oldNow = counts.replicas - counts.updatedReplicas;
  const oldThen = (former?.replicas ?? 0) - (former?.updatedReplicas ?? 0);
  return (
    counts.updatedReplicas > (former?.updatedReplicas ?? 0) ||
    oldNow < oldThen ||
    counts.readyReplicas > (former?.readyReplicas ?? 0) ||
    counts.availableReplicas > (former?.availableReplicas ?? 0)
  );
}

function isOverdue(question: StatusQuestion, former: WorkloadCondition): boolean {
  return (remainingMs(question, former) ?? 1) <= 0;
}

function deadline(
  question: StatusQuestion,
  progressing: WorkloadCondition | undefined,
): number | undefined {
  if (progressing === undefined || progressing.status !== 'True') return undefined;
  if (progressing.reason === 'NewReplicaSetAvailable') return undefined;
  const left = remainingMs(question, progressing);
  return left === undefined ? undefined : Math.max(0, left);
}

function remainingMs(question: StatusQuestion, since: WorkloadCondition): number | undefined {
  const seconds = question.deployment.spec.progressDeadlineSeconds ?? 600;
  const startMs = Date.parse(since.lastUpdateTime ?? since.lastTransitionTime ?? '');
  if (Number.isNaN(startMs) || since.status !== 'True') return undefined;
  return startMs + seconds * 1000 - question.nowMs;
}

function condition(
  question: StatusQuestion,
  next: Pick<WorkloadCondition, 'type' | 'status' | 'reason' | 'message'>,
): WorkloadCondition {
  const former = formerOf(question.deployment, next.type);
  if (former?.status === next.status && former?.reason === next.reason) {
    return former.message === next.message ? former : { ...former, ...next };
  }
  const now = timestamp(question.nowMs);
  const lastTransitionTime = former?.status === next.status ? former.lastTransitionTime : now;
  return { ...next, lastUpdateTime: now, lastTransitionTime: lastTransitionTime ?? now };
}

function formerOf(deployment: DeploymentObject, type: string): WorkloadCondition | undefined {
  return deployment.status?.conditions?.find((condition) => condition.type === type);
}

function total(
  sets: readonly ReplicaSetObject[],
  count: 'replicas' | 'readyReplicas' | 'availableReplicas' | 'asked',
): number {
  return sets.reduce(
    (sum, set) => sum + (count === 'asked' ? (set.spec.replicas ?? 1) : (set.status?.[count] ?? 0)),
    0,
  );
}
