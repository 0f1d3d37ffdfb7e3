import { mapAt, type Path, type ValueMap, valueAt } from '../value.ts';

/** Where a workload of the kind has the template of its pods; undefined for what makes no pods of one. */
export function templatePath(kind: string): Path | undefined {
  if (kind === 'CronJob') return ['spec', 'jobTemplate', 'spec', 'template'];
  return templated.includes(kind) ? ['spec', 'template'] : undefined;
}

const templated = ['Deployment', 'ReplicaSet', 'StatefulSet', 'Job', 'DaemonSet'];

/** How many pods a workload keeps at once; a CronJob, each time it is due. */
export function podsAsked(workload: ValueMap): number {
  const { kind } = workload;
  if (kind === 'Pod') return 1;
  if (valueAt(workload, ['spec', 'suspend']) === true) return 0;
  const spec = mapAt(workload, kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec']);
  const { replicas = 1, parallelism = 1, completions = parallelism } = spec;
  const isJob = kind === 'Job' || kind === 'CronJob';
  return isJob ? Math.min(Number(parallelism), Number(completions)) : Number(replicas);
}
