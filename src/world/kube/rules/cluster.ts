import { objectAt, textAt } from '../json.ts';
import { forbidden } from '../status/field-error.ts';
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
