import { Buffer } from 'node:buffer';
import { type ApiObject, isEqual, objectAt, textAt, valueAt } from '../json.ts';
import { type FieldError, forbidden, invalid, required } from '../status/field-error.ts';
import { filled, type KindRules } from './rules.ts';

export const namespaceRules: KindRules = {
  nameFormat: 'label',
  defaults: (object) => {
    const name = object.metadata.name;
    const labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': name };
    return { ...object, metadata: { ...object.metadata, labels } };
  },
  onCreate: (object) => ({
    ...object,
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  // Only the finalize subresource takes a namespace's finalizers away.
  onUpdate: (object, previous) => ({ ...object, spec: previous.spec }),
};

export const secretRules: KindRules = {
  defaults: (object) => {
    const { stringData, ...rest } = object;
    const data = { ...objectAt(object, 'data') };
    for (const [key, text] of Object.entries(objectAt(object, 'stringData'))) {
      data[key] = Buffer.from(String(text)).toString('base64');
    }
    const whole = stringData === undefined ? object : { ...rest, data };
    return filled(whole as ApiObject, { type: 'Opaque' });
  },
  validateUpdate: (object, previous) => [
    ...unchanged(object, previous, ['type']),
    ...frozenErrors(object, previous),
  ],
};

export const configMapRules: KindRules = { validateUpdate: frozenErrors };

/** `immutable: true` freezes the data of a config map or secret for good. */
function frozenErrors(object: ApiObject, previous: ApiObject): readonly FieldError[] {
  if (previous.immutable !== true) return [];
  if (object.immutable !== true) {
    return [forbidden('immutable', 'field is immutable when `immutable` is set')];
  }
  return ['data', 'binaryData']
    .filter((key) => !isEqual(object[key], previous[key]))
    .map((key) => forbidden(key, 'field is immutable when `immutable` is set'));
}

export const nodeRules: KindRules = {
  defaults: (node) => {
    const { capacity } = objectAt(node, 'status');
    if (capacity === undefined) return node;
    return { ...node, status: filled(objectAt(node, 'status'), { allocatable: capacity }) };
  },
  validateUpdate: (object, previous) => {
    const before = textAt(previous, 'spec', 'providerID');
    const after = textAt(object, 'spec', 'providerID');
    if (before === undefined || before === after) return [];
    return [
      forbidden(
        'spec.providerID',
        'node updates may not change providerID except from "" to valid',
      ),
    ];
  },
};

export const priorityClassRules: KindRules = {
  hasGeneration: true,
  defaults: (object) => filled(object, { value: 0, preemptionPolicy: 'PreemptLowerPriority' }),
  validate: (object) => {
    const isOurs = object.metadata.name.startsWith('system-');
    if (!isOurs || systemPriorities.includes(object.metadata.name)) return [];
    const text =
      "priority class names with 'system-' prefix are reserved for system use only. error: only the following names are allowed: [system-node-critical system-cluster-critical]";
    return [forbidden('metadata.name', text)];
  },
  validateUpdate: (object, previous) =>
    object.value === previous.value ? [] : [forbidden('value', 'may not be changed in an update.')],
};

const systemPriorities: readonly string[] = ['system-node-critical', 'system-cluster-critical'];

export const disruptionBudgetRules: KindRules = {
  hasGeneration: true,
  needsVersion: true,
  onCreate: (object) => ({
    ...object,
    status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  }),
  validate: (object) => {
    const { minAvailable, maxUnavailable } = objectAt(object, 'spec');
    if (minAvailable === undefined || maxUnavailable === undefined) return [];
    const text = 'minAvailable and maxUnavailable cannot be both set';
    return [invalid('spec', objectAt(object, 'spec'), text)];
  },
};

export const leaseRules: KindRules = { needsVersion: true };

export const networkPolicyRules: KindRules = {
  hasGeneration: true,
  defaults: (object) => {
    const spec = objectAt(object, 'spec');
    const policyTypes = spec.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
    return { ...object, spec: filled(spec, { podSelector: {}, policyTypes }) };
  },
};

export const ingressRules: KindRules = {
  hasGeneration: true,
  onCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
};

/** Names of roles and bindings may hold colons. */
export const accessRules: KindRules = { nameFormat: 'path' };

export const bindingRules: KindRules = {
  nameFormat: 'path',
  validate: (object) =>
    (textAt(object, 'roleRef', 'name') ?? '') === '' ? [required('roleRef.name')] : [],
  validateUpdate: (object, previous) =>
    isEqual(object.roleRef, previous.roleRef)
      ? []
      : [invalid('roleRef', object.roleRef, 'cannot change roleRef')],
};

export const generationRules: KindRules = { hasGeneration: true };

/** Fields that keep the value they were created with. */
export function unchanged(
  object: ApiObject,
  previous: ApiObject,
  paths: readonly string[],
): readonly FieldError[] {
  return paths
    .map((path) => ({ path, keys: path.split('.') }))
    .filter(({ keys }) => !isEqual(valueAt(object, ...keys), valueAt(previous, ...keys)))
    .map(({ path, keys }) => invalid(path, valueAt(object, ...keys), 'field is immutable'));
}
