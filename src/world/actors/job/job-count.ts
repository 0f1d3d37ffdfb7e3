import { type PodObject, pods } from '../../../api/kubernetes/core.ts';
import { type JobObject, type JobStatus, jobs } from '../../../api/kubernetes/workload.ts';
import { isKubeError } from '../../../ports/kube.ts';
import { inParallel } from '../in-parallel.ts';
import type { Stage } from '../stage.ts';
import { writeStatus } from '../status-writer.ts';
import { formatIndexes, indexOf, outcomeOf, parseIndexes } from './job-step.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

interface Uncounted {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

/**
 * Counts ended pods exactly once, though pods may vanish and we may die at any point. A finalizer
 * holds each pod until its uid is written into the status; then the finalizer goes; then the uid
 * becomes a number. Answers the job with its new status.
 */
export async function countEnded(
  stage: Stage,
  job: JobObject,
  owned: readonly PodObject[],
): Promise<JobObject> {
  const noted = await noteUncounted(stage, job, owned);
  const uids = new Set([...uncountedOf(noted, 'succeeded'), ...uncountedOf(noted, 'failed')]);
  const held = owned.filter((pod) => uids.has(pod.metadata.uid ?? '') && isTracked(pod));
  await inParallel(held, 16, (pod) => letGo(stage, pod));
  return turnIntoNumbers(stage, noted);
}

export function isTracked(pod: PodObject): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) === true;
}

async function noteUncounted(
  stage: Stage,
  job: JobObject,
  owned: readonly PodObject[],
): Promise<JobObject> {
  const fresh = (outcome: 'succeeded' | 'failed'): readonly PodObject[] =>
    owned.filter(
      (pod) =>
        isTracked(pod) &&
        outcomeOf(pod) === outcome &&
        !uncountedOf(job, outcome).includes(pod.metadata.uid ?? ''),
    );
  const succeeded = fresh('succeeded');
  const failed = fresh('failed');
  if (succeeded.length === 0 && failed.length === 0) return job;
  const uidsOf = (list: readonly PodObject[]): readonly string[] =>
    list.map((pod) => pod.metadata.uid ?? '');
  const indexes = [...parseIndexes(job.status?.completedIndexes), ...succeeded.map(indexOf)];
  return write(stage, job, {
    uncountedTerminatedPods: {
      succeeded: [...uncountedOf(job, 'succeeded'), ...uidsOf(succeeded)],
      failed: [...uncountedOf(job, 'failed'), ...uidsOf(failed)],
    },
    ...(job.spec.completionMode === 'Indexed' && { completedIndexes: formatIndexes(indexes) }),
  });
}

async function turnIntoNumbers(stage: Stage, job: JobObject): Promise<JobObject> {
  const succeeded = uncountedOf(job, 'succeeded').length;
  const failed = uncountedOf(job, 'failed').length;
  if (succeeded === 0 && failed === 0) return job;
  return write(stage, job, {
    succeeded: (job.status?.succeeded ?? 0) + succeeded,
    failed: (job.status?.failed ?? 0) + failed,
    uncountedTerminatedPods: {},
  });
}

async function write(stage: Stage, job: JobObject, part: JobStatus): Promise<JobObject> {
  const status = { ...job.status, ...part };
  await writeStatus(stage, { resource: jobs, object: job }, status);
  return { ...job, status };
}

export async function letGo(stage: Stage, pod: PodObject): Promise<void> {
  const { name, namespace, uid, finalizers = [] } = pod.metadata;
  const rest = finalizers.filter((finalizer) => finalizer !== trackingFinalizer);
  try {
    const body = { metadata: { uid, finalizers: rest } };
    const changed = await stage.ports.kube.patch(
      pods,
      { name, namespace },
      { type: 'merge', body },
    );
    stage.informer(pods).apply(changed);
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'conflict')) throw error;
  }
}

function uncountedOf(job: JobObject, outcome: 'succeeded' | 'failed'): readonly string[] {
  const uncounted = job.status?.uncountedTerminatedPods as Uncounted | undefined;
  return uncounted?.[outcome] ?? [];
}
