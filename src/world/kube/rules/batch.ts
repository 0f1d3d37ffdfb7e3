import { type ApiObject, isEqual, type JsonObject, objectAt, valueAt } from '../json.ts';
import { type FieldError, invalid, required } from '../status/field-error.ts';
import { templateDefaults } from './pod-defaults.ts';
import { podSpecErrors } from './pod-validation.ts';
import { filled, type KindRules } from './rules.ts';
import { withSpec } from './workload.ts';

export const jobRules: KindRules = {
  hasGeneration: true,
  defaults: (object) => withSpec(object, jobSpecDefaults),
  onCreate: (object) => withOwnSelector(object),
  validate: (object) => [
    ...podSpecErrors(objectAt(object, 'spec', 'template', 'spec'), 'spec.template.spec'),
    ...jobRestartErrors(object),
  ],
  validateUpdate: jobUpdateErrors,
};

export const cronJobRules: KindRules = {
  hasGeneration: true,
  defaults: (object) => {
    const spec = filled(objectAt(object, 'spec'), {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const jobSpec = objectAt(spec, 'jobTemplate', 'spec');
    const template = templateDefaults(objectAt(jobSpec, 'template'));
    const jobTemplate = { ...objectAt(spec, 'jobTemplate'), spec: { ...jobSpec, template } };
    return { ...object, spec: { ...spec, jobTemplate } };
  },
  validate: (object) => {
    const { schedule } = objectAt(object, 'spec');
    return schedule === undefined || schedule === '' ? [required('spec.schedule')] : [];
  },
};

function jobSpecDefaults(spec: JsonObject): JsonObject {
  const isPlain = spec.completions === undefined && spec.parallelism === undefined;
  return filled(spec, {
    completions: isPlain ? 1 : undefined,
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  });
}

/** A job selects its pods by its own uid, unless the user insists on a selector. */
function withOwnSelector(job: ApiObject): ApiObject {
  const spec = objectAt(job, 'spec');
  if (spec.manualSelector === true) return job;
  const uid = job.metadata.uid ?? '';
  const labels = {
    ...objectAt(spec, 'template', 'metadata', 'labels'),
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': job.metadata.name,
    'controller-uid': uid,
    'job-name': job.metadata.name,
  };
  const template = objectAt(spec, 'template');
  const own = job.metadata.labels ?? (labels as Readonly<Record<string, string>>);
  return {
    ...job,
    metadata: { ...job.metadata, labels: own },
    spec: {
      ...spec,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  };
}

/** A job ends; a pod that is always started again does not. */
function jobRestartErrors(job: ApiObject): readonly FieldError[] {
  if (valueAt(job, 'spec', 'template', 'spec', 'restartPolicy') !== 'Always') return [];
  return [required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"')];
}

function jobUpdateErrors(job: ApiObject, previous: ApiObject): readonly FieldError[] {
  const isSuspended = valueAt(previous, 'spec', 'suspend') === true;
  const fixed = ['selector', 'completionMode', ...(isSuspended ? [] : ['template'])];
  return fixed
    .filter((key) => !isEqual(valueAt(job, 'spec', key), valueAt(previous, 'spec', key)))
    .map((key) => invalid(`spec.${key}`, valueAt(job, 'spec', key), 'field is immutable'));
}
