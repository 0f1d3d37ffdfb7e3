import {
  type ApiObject,
  isEqual,
  isObject,
  type Json,
  type JsonObject,
  numberAt,
  objectAt,
  valueAt,
} from '../json.ts';
import { matchesLabels, selectorOf } from '../selector/label-selector.ts';
import { type FieldError, invalid, required, unsupported } from '../status/field-error.ts';
import { templateDefaults } from './pod-defaults.ts';
import { podSpecErrors } from './pod-validation.ts';
import { filled, type KindRules } from './rules.ts';

const rolling = { type: 'RollingUpdate' };

export const deploymentRules: KindRules = {
  hasGeneration: true,
  defaults: (object) =>
    withSpec(object, (spec) => {
      const strategy = filled(objectAt(spec, 'strategy'), rolling);
      const rollingUpdate = filled(objectAt(strategy, 'rollingUpdate'), {
        maxUnavailable: '25%',
        maxSurge: '25%',
      });
      return {
        ...filled(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
        strategy: strategy.type === 'RollingUpdate' ? { ...strategy, rollingUpdate } : strategy,
      };
    }),
  validate: (object) => [
    ...workloadErrors(object),
    ...restartErrors(object, ['Always']),
    ...strategyErrors(object),
  ],
  validateUpdate: selectorUpdateErrors,
};

export const replicaSetRules: KindRules = {
  hasGeneration: true,
  defaults: (object) => withSpec(object, (spec) => filled(spec, { replicas: 1 })),
  onCreate: (object) => ({ ...object, status: { replicas: 0 } }),
  validate: (object) => [...workloadErrors(object), ...restartErrors(object, ['Always'])],
  validateUpdate: selectorUpdateErrors,
};

export const replicationControllerRules: KindRules = {
  hasGeneration: true,
  defaults: (object) =>
    withSpec(object, (spec) =>
      filled(spec, { replicas: 1, selector: objectAt(spec, 'template', 'metadata').labels }),
    ),
  onCreate: (object) => ({ ...object, status: { replicas: 0 } }),
  validate: (object) => restartErrors(object, ['Always']),
};

export const daemonSetRules: KindRules = {
  hasGeneration: true,
  defaults: (object) =>
    withSpec(object, (spec) => {
      const strategy = filled(objectAt(spec, 'updateStrategy'), rolling);
      const rollingUpdate = filled(objectAt(strategy, 'rollingUpdate'), {
        maxUnavailable: 1,
        maxSurge: 0,
      });
      return {
        ...filled(spec, { revisionHistoryLimit: 10 }),
        updateStrategy:
          strategy.type === 'RollingUpdate' ? { ...strategy, rollingUpdate } : strategy,
      };
    }),
  onCreate: (object) => ({
    ...object,
    status: {
      currentNumberScheduled: 0,
      desiredNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
    },
  }),
  validate: (object) => [...workloadErrors(object), ...restartErrors(object, ['Always'])],
  validateUpdate: selectorUpdateErrors,
};

export const statefulSetRules: KindRules = {
  hasGeneration: true,
  defaults: (object) =>
    withSpec(object, (spec) => {
      const strategy = filled(objectAt(spec, 'updateStrategy'), rolling);
      const rollingUpdate = filled(objectAt(strategy, 'rollingUpdate'), { partition: 0 });
      return {
        ...filled(spec, {
          replicas: 1,
          revisionHistoryLimit: 10,
          podManagementPolicy: 'OrderedReady',
        }),
        persistentVolumeClaimRetentionPolicy: filled(
          objectAt(spec, 'persistentVolumeClaimRetentionPolicy'),
          { whenDeleted: 'Retain', whenScaled: 'Retain' },
        ),
        updateStrategy:
          strategy.type === 'RollingUpdate' ? { ...strategy, rollingUpdate } : strategy,
      };
    }),
  onCreate: (object) => ({ ...object, status: { replicas: 0, availableReplicas: 0 } }),
  validate: (object) => [...workloadErrors(object), ...restartErrors(object, ['Always'])],
  validateUpdate: statefulSetUpdateErrors,
};

/** Applies defaults to the spec and to the pod template inside it. */
export function withSpec(object: ApiObject, change: (spec: JsonObject) => JsonObject): ApiObject {
  const spec = change(objectAt(object, 'spec'));
  const template = templateDefaults({ ...objectAt(spec, 'template') });
  return { ...object, spec: { ...spec, template } };
}

function workloadErrors(object: ApiObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors: FieldError[] = [];
  const replicas = numberAt(spec, 'replicas') ?? 0;
  if (replicas < 0) {
    errors.push(invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  }
  const selector = selectorOf(spec.selector);
  const labels = valueAt(spec, 'template', 'metadata', 'labels') ?? null;
  if (selector === undefined) {
    errors.push(required('spec.selector'));
  } else if (selector.length === 0) {
    const text = 'empty selector is invalid for deployment';
    errors.push(invalid('spec.selector', spec.selector, text));
  }
  if (selector === undefined || !matchesLabels(selector, labelsOf(labels))) {
    const text = '`selector` does not match template `labels`';
    errors.push(invalid('spec.template.metadata.labels', labels, text));
  }
  return [...errors, ...podSpecErrors(objectAt(spec, 'template', 'spec'), 'spec.template.spec')];
}

function labelsOf(labels: Json): Readonly<Record<string, string>> {
  return isObject(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

function restartErrors(object: ApiObject, allowed: readonly string[]): readonly FieldError[] {
  const policy = objectAt(object, 'spec', 'template', 'spec').restartPolicy;
  if (policy === undefined || allowed.includes(String(policy))) return [];
  return [unsupported('spec.template.spec.restartPolicy', policy, allowed)];
}

function strategyErrors(object: ApiObject): readonly FieldError[] {
  const { type } = objectAt(object, 'spec', 'strategy');
  const known = ['Recreate', 'RollingUpdate'];
  return known.includes(String(type)) ? [] : [unsupported('spec.strategy.type', type, known)];
}

function selectorUpdateErrors(object: ApiObject, previous: ApiObject): readonly FieldError[] {
  const { selector } = objectAt(object, 'spec');
  if (isEqual(selector, objectAt(previous, 'spec').selector)) return [];
  return [invalid('spec.selector', selector, 'field is immutable')];
}

const statefulSetChangeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function statefulSetUpdateErrors(object: ApiObject, previous: ApiObject): readonly FieldError[] {
  const fixed = (spec: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(spec).filter(([key]) => !statefulSetChangeable.includes(key)),
    );
  if (isEqual(fixed(objectAt(object, 'spec')), fixed(objectAt(previous, 'spec')))) return [];
  const names = statefulSetChangeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const text = `updates to statefulset spec for fields other than ${list} are forbidden`;
  return [{ type: 'FieldValueForbidden', field: 'spec', message: `Forbidden: ${text}` }];
}
