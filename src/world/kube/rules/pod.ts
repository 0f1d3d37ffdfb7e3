import type { TolerationObject } from '../../../api/kubernetes/core.ts';
import { admittedTolerations } from '../../../api/kubernetes/pod-admission.ts';
import { type ApiObject, type Json, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import { forbidden } from '../status/status.ts';
import { podSpecDefaults } from './pod-defaults.ts';
import { podErrors, podUpdateErrors } from './pod-validation.ts';
import { qosClassOf } from './qos.ts';
import { filled, type KindRules, type RuleWorld } from './rules.ts';

export const podRules: KindRules = {
  hasGeneration: true,
  defaults: (pod) => {
    const spec = podSpecDefaults(filled(objectAt(pod, 'spec'), { enableServiceLinks: true }));
    return { ...pod, spec };
  },
  onCreate: (pod, world) => {
    const spec = admitted(pod, world);
    const created = { ...pod, spec };
    return { ...created, status: { phase: 'Pending', qosClass: qosClassOf(created) } };
  },
  onUpdate: (pod, previous) => {
    const spec = objectAt(pod, 'spec');
    const { priority, preemptionPolicy } = objectAt(previous, 'spec');
    const kept = filled(spec, { priority, preemptionPolicy });
    return { ...pod, spec: { ...kept, tolerations: tolerationsOf(spec.tolerations) } };
  },
  validate: podErrors,
  validateUpdate: podUpdateErrors,
};

/** What the admission plugins of a usual cluster add to a new pod. */
function admitted(pod: ApiObject, world: RuleWorld): ApiObject['spec'] {
  const spec = objectAt(pod, 'spec');
  const account = textAt(spec, 'serviceAccountName') || 'default';
  return {
    ...spec,
    serviceAccountName: account,
    serviceAccount: account,
    ...priorityOf(pod, world),
    tolerations: tolerationsOf(spec.tolerations),
  };
}

function priorityOf(pod: ApiObject, world: RuleWorld): Record<string, Json> {
  const name = textAt(pod, 'spec', 'priorityClassName') || undefined;
  const chosen =
    name === undefined
      ? globalDefault(world)
      : world.get('priorityclasses.scheduling.k8s.io', name);
  if (name !== undefined && chosen === undefined) {
    const why = `no PriorityClass with name ${name} was found`;
    throw forbidden({ group: '', plural: 'pods' }, pod.metadata.name, why);
  }
  return {
    ...(chosen === undefined ? {} : { priorityClassName: chosen.metadata.name }),
    priority: chosen?.value ?? 0,
    preemptionPolicy:
      textAt(pod, 'spec', 'preemptionPolicy') ?? chosen?.preemptionPolicy ?? 'PreemptLowerPriority',
  };
}

function globalDefault(world: RuleWorld): ApiObject | undefined {
  return world
    .list('priorityclasses.scheduling.k8s.io')
    .filter((one) => one.globalDefault === true)
    .sort((a, b) => Number(a.value) - Number(b.value))[0];
}

function tolerationsOf(tolerations: Json | undefined): readonly Json[] {
  const given = listAt({ tolerations: tolerations ?? [] }, 'tolerations');
  return admittedTolerations(given as readonly TolerationObject[]) as readonly JsonObject[];
}
