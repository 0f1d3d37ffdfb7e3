import type { PodObject } from '../../../api/kubernetes/core.ts';
import { type JobObject, type JobStatus, jobs } from '../../../api/kubernetes/workload.ts';
import { type Condition, isTrue, keyOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { controllerOf } from '../controller-reference.ts';
import { inParallel } from '../in-parallel.ts';
import { createPods, deletePods, type Keeper } from '../pod-care.ts';
import { type PodIndex, podIndex, podSettleMs } from '../pod-index.ts';
import { byAge, isReady } from '../pod-state.ts';
import type { Stage } from '../stage.ts';
import { writeStatus } from '../status-writer.ts';
import { countEnded, isTracked, letGo, trackingFinalizer } from './job-count.ts';
import {
  freeIndexes,
  indexAnnotation,
  type JobStep,
  jobStep,
  outcomeOf,
  untilDeadlineMs,
} from './job-step.ts';

/** Runs the pods of each Job until enough of them have succeeded or too many have failed. */
export function runJobs(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const loop = stage.loop('job', (key) => reconcile(stage, index, key));
  stage.informer(jobs).onChange(({ object }) => loop.enqueue(keyOf(object)));
  index.informer.onChange(({ object: pod }) => {
    const owner = controllerOf(pod);
    if (owner?.kind === 'Job')
      loop.enqueueAfter(`${pod.metadata.namespace}/${owner.name}`, podSettleMs);
  });
  return loop.done;
}

async function reconcile(stage: Stage, index: PodIndex, key: string): Promise<Requeue> {
  const known = stage.informer(jobs).get(key);
  if (known === undefined) {
    await letGoOfOrphans(stage, index, key);
    return onChange;
  }
  const owned = index.ownedBy(known);
  if (known.metadata.deletionTimestamp !== undefined || isFinished(known)) {
    // Nothing will be counted any more, so nothing may be held.
    await inParallel(owned.filter(isTracked), 16, (pod) => letGo(stage, pod));
    return isFinished(known) ? expire(stage, known) : onChange;
  }
  const job = await countEnded(stage, known, owned);
  const nowMs = stage.ports.clock.nowMs();
  const active = index.ownedBy(job).filter((pod) => outcomeOf(pod) === 'active');
  const tally = { active, succeeded: job.status?.succeeded ?? 0, failed: job.status?.failed ?? 0 };
  const step = jobStep(job, tally, nowMs);
  await act(stage, { job, step, active });
  const status = statusAfter(stage, { job, step, running: index.ownedBy(job) });
  await writeStatus(stage, { resource: jobs, object: job }, status);
  const deadlineMs = untilDeadlineMs({ ...job, status }, nowMs);
  return deadlineMs === undefined ? onChange : after(Math.max(0, deadlineMs));
}

/** A Job that was deleted without waiting for its pods leaves nobody to count them. */
async function letGoOfOrphans(stage: Stage, index: PodIndex, key: string): Promise<void> {
  const [namespace = '', name] = key.split('/');
  const isOrphan = (pod: PodObject): boolean => {
    const owner = controllerOf(pod);
    return owner?.kind === 'Job' && owner.name === name && isTracked(pod);
  };
  const orphans = index.inNamespace(namespace).filter(isOrphan);
  await inParallel(orphans, 16, (pod) => letGo(stage, pod));
}

interface Work {
  readonly job: JobObject;
  readonly step: JobStep;
  readonly active: readonly PodObject[];
}

async function act(stage: Stage, { job, step, active }: Work): Promise<void> {
  const keeper: Keeper = { resource: jobs, owner: job, component: 'job-controller' };
  switch (step.kind) {
    case 'run':
      await createPods(
        stage,
        { ...keeper, template: job.spec.template },
        drafts(job, active, step.missing),
      );
      return;
    case 'shrink':
      await deletePods(stage, keeper, [...active].sort(byAge).reverse().slice(0, step.surplus));
      return;
    default:
      await deletePods(stage, keeper, active);
  }
}

function drafts(job: JobObject, active: readonly PodObject[], missing: number) {
  const { name, uid = '' } = job.metadata;
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const base = { labels, finalizers: [trackingFinalizer] };
  if (job.spec.completionMode !== 'Indexed') return Array.from({ length: missing }, () => base);
  return freeIndexes(job, active, missing).map((index) => ({
    ...base,
    labels: { ...labels, [indexAnnotation]: String(index) },
    annotations: { [indexAnnotation]: String(index) },
  }));
}

interface Aftermath {
  readonly job: JobObject;
  readonly step: JobStep;
  readonly running: readonly PodObject[];
}

function statusAfter(stage: Stage, { job, step, running }: Aftermath): JobStatus {
  const now = timestamp(stage.ports.clock.nowMs());
  const active = running.filter((pod) => outcomeOf(pod) === 'active');
  const base: JobStatus = {
    ...job.status,
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: running.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length,
    startTime: job.status?.startTime ?? now,
  };
  switch (step.kind) {
    case 'complete': {
      const news = {
        reason: 'CompletionsReached',
        message: 'Reached expected number of succeeded pods',
      };
      const conditions = ended(job, ['SuccessCriteriaMet', 'Complete'], { now, ...news });
      return { ...base, completionTime: now, conditions };
    }
    case 'fail': {
      const { reason, message } = step;
      return {
        ...base,
        conditions: ended(job, ['FailureTarget', 'Failed'], { now, reason, message }),
      };
    }
    default:
      return base;
  }
}

function ended(
  job: JobObject,
  types: readonly string[],
  news: { readonly now: string; readonly reason: string; readonly message: string },
): readonly Condition[] {
  const { now, reason, message } = news;
  const added = types.map(
    (type): Condition => ({
      type,
      status: 'True',
      reason,
      message,
      lastTransitionTime: now,
    }),
  );
  return [...(job.status?.conditions ?? []), ...added];
}

function isFinished(job: JobObject): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

/** Deletes a finished job when its time to live is over. */
async function expire(stage: Stage, job: JobObject): Promise<Requeue> {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp !== undefined)
    return onChange;
  const finished = job.status?.conditions?.find(
    (c) => c.type === 'Complete' || c.type === 'Failed',
  );
  const finishedMs = Date.parse(finished?.lastTransitionTime ?? '');
  const leftMs = finishedMs + ttlSecondsAfterFinished * 1000 - stage.ports.clock.nowMs();
  if (leftMs > 0) return after(leftMs);
  const { name, namespace, uid } = job.metadata;
  await stage.ports.kube.delete(jobs, { name, namespace }, { uid, propagation: 'Background' });
  return onChange;
}
