import type { PodObject } from '../../api/kubernetes/core.ts';
import type { Condition } from '../../api/resource.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { PodEnd } from './pod-run.ts';

type Step = 'creating' | 'running' | 'ended';

export interface StatusQuestion {
  readonly pod: PodObject;
  readonly hostIp: string;
  readonly podIp: string;
  readonly nowMs: number;
  readonly end?: PodEnd | undefined;
}

/** The status that a kubelet reports when the pod has come to the step. */
export function podStatus(step: Step, question: StatusQuestion): object {
  const { pod, hostIp, podIp, nowMs, end } = question;
  const now = timestamp(nowMs);
  const failed = step === 'ended' && (end?.exitCode ?? 0) !== 0;
  const phase = { creating: 'Pending', running: 'Running', ended: failed ? 'Failed' : 'Succeeded' };
  return {
    phase: phase[step],
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(step !== 'creating' && { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime: pod.status?.startTime ?? now,
    conditions: conditionsAt(step, pod, now),
    containerStatuses: containerStatuses(step, question),
  };
}

function conditionsAt(step: Step, pod: PodObject, now: string): readonly Condition[] {
  const isUp = step === 'running';
  const hasStarted = step !== 'creating';
  const down = step === 'ended' ? 'PodCompleted' : 'ContainersNotReady';
  const entries: readonly (readonly [string, boolean, string | undefined])[] = [
    ['PodReadyToStartContainers', isUp, undefined],
    ['Initialized', true, step === 'ended' ? 'PodCompleted' : undefined],
    ['Ready', isUp, isUp ? undefined : down],
    ['ContainersReady', isUp, isUp ? undefined : down],
    ['PodScheduled', true, undefined],
  ];
  return entries.map(([type, holds, reason]) => {
    const status = holds ? 'True' : 'False';
    const last = pod.status?.conditions?.find((condition) => condition.type === type);
    const isKept = last?.status === status && last.lastTransitionTime !== undefined;
    return {
      type,
      status,
      lastTransitionTime: (isKept ? last.lastTransitionTime : undefined) ?? now,
      ...(reason !== undefined && { reason }),
      ...(reason === 'ContainersNotReady' && !hasStarted && { message: unready(pod) }),
    };
  });
}

function unready(pod: PodObject): string {
  const names = pod.spec.containers.map((container) => container.name).join(' ');
  return `containers with unready status: [${names}]`;
}

function containerStatuses(step: Step, question: StatusQuestion): readonly object[] {
  const { pod, nowMs } = question;
  const startedAt = startedAtOf(pod) ?? timestamp(nowMs);
  return pod.spec.containers.map((container) => {
    const image = container.image ?? '';
    return {
      name: container.name,
      image,
      imageID: step === 'creating' ? '' : image,
      ...(step !== 'creating' && { containerID: `containerd://${pod.metadata.uid}` }),
      ready: step === 'running',
      started: step === 'running',
      restartCount: 0,
      state: stateAt(step, question, startedAt),
    };
  });
}

function stateAt(step: Step, question: StatusQuestion, startedAt: string): object {
  if (step === 'creating') return { waiting: { reason: 'ContainerCreating' } };
  if (step === 'running') return { running: { startedAt } };
  const exitCode = question.end?.exitCode ?? 0;
  const finishedAt = timestamp(question.nowMs);
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return { terminated: { exitCode, reason, startedAt, finishedAt } };
}

/** When the first container began to run, as the status says. */
export function startedAtOf(pod: PodObject): string | undefined {
  const statuses = (pod.status?.containerStatuses ?? []) as readonly {
    state?: { running?: { startedAt?: string } };
  }[];
  return statuses[0]?.state?.running?.startedAt;
}
