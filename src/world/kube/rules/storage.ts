import { type ApiObject, isEqual, objectAt, textAt } from '../json.ts';
import { type FieldError, forbidden, required } from '../status/field-error.ts';
import { filled, type KindRules, type RuleWorld, unchanged } from './rules.ts';

export const storageClassRules: KindRules = {
  defaults: (object) => filled(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: (object) =>
    (textAt(object, 'provisioner') ?? '') === '' ? [required('provisioner')] : [],
  validateUpdate: (object, previous) =>
    ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode']
      .filter((key) => !isEqual(object[key], previous[key]))
      .map((key) => forbidden(key, `updates to ${key} are forbidden.`)),
};

export const volumeRules: KindRules = {
  defaults: (object) => ({
    ...object,
    spec: filled(objectAt(object, 'spec'), {
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    }),
  }),
  onCreate: (object) => ({ ...object, status: { phase: 'Pending' } }),
};

export const volumeClaimRules: KindRules = {
  defaults: (object) => ({
    ...object,
    spec: filled(objectAt(object, 'spec'), { volumeMode: 'Filesystem' }),
  }),
  onCreate: (object, world) => ({
    ...object,
    spec: filled(objectAt(object, 'spec'), { storageClassName: defaultClass(world) }),
    status: { phase: 'Pending' },
  }),
  validateUpdate: claimUpdateErrors,
};

const isDefaultClass = 'storageclass.kubernetes.io/is-default-class';

/** The newest class marked as default, then the first by name. */
function defaultClass(world: RuleWorld): string | undefined {
  const marked = world
    .list('storageclasses.storage.k8s.io')
    .filter((one) => one.metadata.annotations?.[isDefaultClass] === 'true');
  const newest = marked
    .map((one) => one.metadata.creationTimestamp ?? '')
    .sort()
    .at(-1);
  return marked.find((one) => one.metadata.creationTimestamp === newest)?.metadata.name;
}

/** A bound claim may only grow; before that it may also be given its volume. */
function claimUpdateErrors(object: ApiObject, previous: ApiObject): readonly FieldError[] {
  const fixed = (claim: ApiObject): ApiObject => {
    const {
      resources: _resources,
      volumeAttributesClassName: _class,
      ...spec
    } = objectAt(claim, 'spec');
    const isUnbound = textAt(previous, 'spec', 'volumeName') === undefined;
    const { volumeName: _name, ...unbound } = spec;
    return { metadata: { name: '' }, spec: isUnbound ? unbound : spec };
  };
  if (isEqual(fixed(object).spec, fixed(previous).spec)) return [];
  const text =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
  return [forbidden('spec', text)];
}

export const driverRules: KindRules = {
  defaults: (object) => ({
    ...object,
    spec: filled(objectAt(object, 'spec'), {
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      requiresRepublish: false,
      seLinuxMount: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    }),
  }),
};

export const attachmentRules: KindRules = {
  validateUpdate: (object, previous) => unchanged(object, previous, ['spec']),
};
