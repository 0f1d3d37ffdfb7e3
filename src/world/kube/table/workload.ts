import { hasTrueCondition } from '../condition.ts';
import { type Json, listAt, valueAt } from '../json.ts';
import { selectorText } from '../selector/selector-text.ts';
import { countAt, orElse, wordAt } from './cell-value.ts';
import { ageColumn, type ColumnRule, integer, nameColumn, text, truth, wide } from './column.ts';
import { age, humanDuration } from './human-duration.ts';
import { labelsText } from './labels-text.ts';

const template = ['spec', 'template', 'spec', 'containers'] as const;

export const deploymentColumns: readonly ColumnRule[] = [
  nameColumn,
  readyOfReplicas(),
  text('Up-to-date', 'Pods made from the current template.', (object) =>
    countAt(object, 'status', 'updatedReplicas'),
  ),
  text('Available', 'Pods that have been ready for long enough.', (object) =>
    countAt(object, 'status', 'availableReplicas'),
  ),
  ageColumn,
  ...containerColumns(template),
  wide(
    text('Selector', 'Which pods belong to it.', (object) =>
      selectorText(valueAt(object, 'spec', 'selector')),
    ),
  ),
];

export const replicaSetColumns: readonly ColumnRule[] = [
  ...replicaColumns(),
  selectorColumn(['spec', 'selector']),
];

export const replicationControllerColumns: readonly ColumnRule[] = [
  ...replicaColumns(),
  wide(
    text('Selector', 'Which pods belong to it.', (object) =>
      labelsText(valueAt(object, 'spec', 'selector')),
    ),
  ),
];

export const daemonSetColumns: readonly ColumnRule[] = [
  nameColumn,
  status('Desired', 'Nodes that should run the pod.', 'desiredNumberScheduled'),
  status('Current', 'Nodes that have the pod and should.', 'currentNumberScheduled'),
  status('Ready', 'Nodes whose pod is ready.', 'numberReady'),
  status(
    'Up-to-date',
    'Nodes whose pod is made from the current template.',
    'updatedNumberScheduled',
  ),
  status('Available', 'Nodes whose pod has been ready for long enough.', 'numberAvailable'),
  text('Node Selector', 'Labels that a node must have.', (object) =>
    labelsText(valueAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
  ),
  ageColumn,
  ...containerColumns(template),
  selectorColumn(['spec', 'selector']),
];

export const statefulSetColumns: readonly ColumnRule[] = [
  nameColumn,
  readyOfReplicas(),
  ageColumn,
  ...containerColumns(template),
];

export const jobColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Status', 'How far the job is.', jobStatus),
  text('Completions', 'Pods that succeeded, of all asked for.', jobCompletions),
  text('Duration', 'Time from start to completion, or until now.', jobDuration),
  ageColumn,
  ...containerColumns(template),
  selectorColumn(['spec', 'selector']),
];

export const cronJobColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Schedule', 'When jobs are made, in cron notation.', (object) =>
    wordAt(object, 'spec', 'schedule'),
  ),
  text('Timezone', 'Time zone of the schedule.', (object) =>
    orElse(wordAt(object, 'spec', 'timeZone'), '<none>'),
  ),
  truth('Suspend', 'Whether no further jobs are made.', (object) =>
    valueAt(object, 'spec', 'suspend') === true ? 'True' : 'False',
  ),
  integer(
    'Active',
    'Jobs that are running.',
    (object) => listAt(object, 'status', 'active').length,
  ),
  text('Last Schedule', 'Time since the last job was made.', (object, nowMs) => {
    const last = wordAt(object, 'status', 'lastScheduleTime');
    return last === '' ? '<none>' : age(last, nowMs);
  }),
  ageColumn,
  ...containerColumns(['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers']),
  selectorColumn(['spec', 'jobTemplate', 'spec', 'selector']),
];

export const controllerRevisionColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Controller', 'Who owns the revision.', controllerCell),
  text('Revision', 'Number of the revision.', (object) => countAt(object, 'revision')),
  ageColumn,
];

export const podTemplateColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Containers', 'Names of the containers.', (object) =>
    names(listAt(object, 'template', 'spec', 'containers'), 'name'),
  ),
  text('Images', 'Images of the containers.', (object) =>
    names(listAt(object, 'template', 'spec', 'containers'), 'image'),
  ),
  text('Pod Labels', 'Labels of the pods.', (object) =>
    labelsText(valueAt(object, 'template', 'metadata', 'labels')),
  ),
];

function replicaColumns(): readonly ColumnRule[] {
  return [
    nameColumn,
    integer('Desired', 'Pods asked for.', (object) => countAt(object, 'spec', 'replicas')),
    status('Current', 'Pods that exist.', 'replicas'),
    status('Ready', 'Pods that are ready.', 'readyReplicas'),
    ageColumn,
    ...containerColumns(template),
  ];
}

function readyOfReplicas(): ColumnRule {
  return text('Ready', 'Pods that are ready, of all asked for.', (object) => {
    const ready = countAt(object, 'status', 'readyReplicas');
    return `${ready}/${countAt(object, 'spec', 'replicas')}`;
  });
}

function status(name: string, description: string, field: string): ColumnRule {
  return integer(name, description, (object) => countAt(object, 'status', field));
}

function containerColumns(path: readonly string[]): readonly ColumnRule[] {
  return [
    wide(
      text('Containers', 'Names of the containers.', (object) =>
        names(listAt(object, ...path), 'name'),
      ),
    ),
    wide(
      text('Images', 'Images of the containers.', (object) =>
        names(listAt(object, ...path), 'image'),
      ),
    ),
  ];
}

function selectorColumn(path: readonly string[]): ColumnRule {
  return wide(
    text('Selector', 'Which pods belong to it.', (object) =>
      orElse(selectorText(valueAt(object, ...path)), '<none>'),
    ),
  );
}

function names(containers: readonly Json[], field: string): string {
  return containers.map((container) => wordAt(container, field)).join(',');
}

const jobConditions = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
] as const;

function jobStatus(job: Json | undefined): string {
  const isDeleted = wordAt(job, 'metadata', 'deletionTimestamp') !== '';
  const found = jobConditions.find(([condition]) =>
    condition === '' ? isDeleted : hasTrueCondition(job, condition),
  );
  return found?.[1] ?? 'Running';
}

function jobCompletions(job: Json | undefined): string {
  const succeeded = countAt(job, 'status', 'succeeded');
  const completions = valueAt(job, 'spec', 'completions');
  if (typeof completions === 'number') return `${succeeded}/${completions}`;
  const parallelism = countAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Json | undefined, nowMs: number): string {
  const start = wordAt(job, 'status', 'startTime');
  if (start === '') return '';
  const end = wordAt(job, 'status', 'completionTime');
  return humanDuration((end === '' ? nowMs : Date.parse(end)) - Date.parse(start));
}

function controllerCell(revision: Json | undefined): string {
  const owner = listAt(revision, 'metadata', 'ownerReferences').find(
    (reference) => valueAt(reference, 'controller') === true,
  );
  if (owner === undefined) return '<none>';
  const apiVersion = wordAt(owner, 'apiVersion');
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  return `${wordAt(owner, 'kind').toLowerCase()}${group}/${wordAt(owner, 'name')}`;
}
