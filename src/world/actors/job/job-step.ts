import type { PodObject } from '../../../api/kubernetes/core.ts';
import type { JobObject } from '../../../api/kubernetes/workload.ts';
import { isTerminating } from '../pod-state.ts';

/** How many pods a job needs now, given what has ended so far. */
interface JobTally {
  readonly succeeded: number;
  readonly failed: number;
  readonly active: readonly PodObject[];
}

export type JobStep =
  | { readonly kind: 'run'; readonly missing: number }
  | { readonly kind: 'shrink'; readonly surplus: number }
  | { readonly kind: 'complete' }
  | { readonly kind: 'fail'; readonly reason: string; readonly message: string };

/** Without `completions` any success ends the job, once the pods still running have ended too. */
export function jobStep(job: JobObject, tally: JobTally, nowMs: number): JobStep {
  const { parallelism = 1, completions, backoffLimit = 6, suspend } = job.spec;
  if (tally.failed > backoffLimit) {
    const message = 'Job has reached the specified backoff limit';
    return { kind: 'fail', reason: 'BackoffLimitExceeded', message };
  }
  if (isOverdue(job, nowMs)) {
    const message = 'Job was active longer than specified deadline';
    return { kind: 'fail', reason: 'DeadlineExceeded', message };
  }
  const active = tally.active.length;
  if (completions === undefined) {
    if (tally.succeeded > 0)
      return active === 0 ? { kind: 'complete' } : { kind: 'run', missing: 0 };
  } else if (tally.succeeded >= completions) return { kind: 'complete' };
  const left = completions === undefined ? parallelism : completions - tally.succeeded;
  const wanted = suspend === true ? 0 : Math.min(parallelism, left);
  return active > wanted
    ? { kind: 'shrink', surplus: active - wanted }
    : { kind: 'run', missing: wanted - active };
}

/** How the pod counts: a pod being deleted counts as failed, for it may never get to say more. */
export function outcomeOf(pod: PodObject): 'succeeded' | 'failed' | 'active' {
  if (pod.status?.phase === 'Succeeded') return 'succeeded';
  if (pod.status?.phase === 'Failed' || isTerminating(pod)) return 'failed';
  return 'active';
}

/** Milliseconds until the deadline; undefined when the job has none or has not started. */
export function untilDeadlineMs(job: JobObject, nowMs: number): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  const startedMs = Date.parse(job.status?.startTime ?? '');
  if (activeDeadlineSeconds === undefined || Number.isNaN(startedMs)) return undefined;
  return startedMs + activeDeadlineSeconds * 1000 - nowMs;
}

function isOverdue(job: JobObject, nowMs: number): boolean {
  return (untilDeadlineMs(job, nowMs) ?? 1) <= 0;
}

/** The lowest completion indexes that no pod has taken or finished. */
export function freeIndexes(
  job: JobObject,
  pods: readonly PodObject[],
  count: number,
): readonly number[] {
  const finished = new Set(parseIndexes(job.status?.completedIndexes));
  const taken = new Set(
    pods.filter((pod) => outcomeOf(pod) !== 'failed').map((pod) => indexOf(pod)),
  );
  const free: number[] = [];
  for (let index = 0; index < (job.spec.completions ?? 0) && free.length < count; index++) {
    if (!taken.has(index) && !finished.has(index)) free.push(index);
  }
  return free;
}

export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

export function indexOf(pod: PodObject): number {
  return Number(pod.metadata.annotations?.[indexAnnotation] ?? -1);
}

/** `1,3-5` as numbers. */
export function parseIndexes(text: unknown): readonly number[] {
  if (typeof text !== 'string' || text === '') return [];
  return text.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  });
}

/** Numbers as `1,3-5`. */
export function formatIndexes(indexes: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
