import type { Pod } from './pod.ts';

/** A pod that does not exist: it stands for room that a CapacityBuffer keeps free. */
export interface VirtualPod extends Pod {
  readonly buffer: { readonly namespace: string; readonly name: string };
}

/** Below every priority that a pod can have, so that room for real pods is found first. */
const lowestPriority = -(2 ** 31) - 1;

export interface BufferWish {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** How many pods room is kept for. */
  readonly replicas: number;
  /** A pod of the kind that room is kept for; where it is bound and what state it is in do not count. */
  readonly model: Pod;
}

export function isVirtual(pod: Pod): pod is VirtualPod {
  return 'buffer' in pod;
}

/** The pods that stand for a buffer, always of the same names. */
export function virtualPods(wish: BufferWish): readonly VirtualPod[] {
  const { namespace, name, uid, replicas, model } = wish;
  return Array.from({ length: replicas }, (_, index) => ({
    ...model,
    uid: `${uid}-${index}`,
    namespace,
    name: `capacity-buffer-${name}-${index}`,
    nodeName: undefined,
    owner: { kind: 'CapacityBuffer', name },
    // Room is kept for pods, not for the volumes that they will bring.
    volumes: undefined,
    priority: lowestPriority,
    priorityClass: undefined,
    isDaemon: false,
    isMirror: false,
    isTerminal: false,
    isTerminating: false,
    isUnschedulable: true,
    doNotDisrupt: false,
    doNotDisruptUntilMs: undefined,
    buffer: { namespace, name },
  }));
}

export interface BufferSize {
  readonly replicas?: number | undefined;
  readonly percentage?: number | undefined;
  /** How many pods the workload wants; undefined where the buffer follows none. */
  readonly workloadReplicas?: number | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /** What one of the pods asks for. */
  readonly requests: Readonly<Record<string, number>>;
}

/**
 * For how many pods a buffer keeps room: the larger of its count and its share of the workload,
 * a share being one pod at least; never beyond its limits, which alone decide where it says
 * nothing else. A limit on what the pods do not ask for limits nothing.
 */
export function bufferReplicas(size: BufferSize): number {
  const { replicas, percentage, workloadReplicas } = size;
  const most = mostWithin(size);
  const share =
    percentage === undefined || workloadReplicas === undefined
      ? undefined
      : shareOf(workloadReplicas, percentage);
  if (replicas === undefined && share === undefined) return Number.isFinite(most) ? most : 0;
  return Math.min(Math.max(replicas ?? 0, share ?? 0), most);
}

function shareOf(workloadReplicas: number, percentage: number): number {
  if (percentage <= 0 || workloadReplicas <= 0) return 0;
  return Math.max(1, Math.ceil((workloadReplicas * percentage) / 100));
}

function mostWithin({ limits = {}, requests }: BufferSize): number {
  const counts = Object.entries(limits).flatMap(([name, limit]) => {
    const request = requests[name] ?? 0;
    return request > 0 ? [Math.floor(limit / request)] : [];
  });
  return Math.max(0, Math.min(Infinity, ...counts));
}
