import { isList, isMap, type Path, type Value } from '../value.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';

/** A field that an API server misses, or whose value it does not take. */
export interface Unmet {
  readonly path: Path;
  /** The values that it takes; undefined where the field is missing. */
  readonly choices?: readonly string[] | undefined;
  readonly value?: Value | undefined;
}

const setOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Fields that must be there, by type: those that decide how many pods there are, and where they go. */
const required: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec'],
  ReplicaSet: ['spec'],
  StatefulSet: ['spec'],
  DaemonSet: ['spec'],
  Job: ['spec'],
  CronJob: ['spec'],
  DeploymentSpec: ['selector', 'template'],
  ReplicaSetSpec: ['selector', 'template'],
  StatefulSetSpec: ['selector', 'template'],
  DaemonSetSpec: ['selector', 'template'],
  JobSpec: ['template'],
  CronJobSpec: ['jobTemplate'],
  JobTemplateSpec: ['spec'],
  PodTemplateSpec: ['spec'],
  PodSpec: ['containers'],
  Container: ['name', 'image'],
  ContainerPort: ['containerPort'],
  PreferredSchedulingTerm: ['weight', 'preference'],
  NodeSelector: ['nodeSelectorTerms'],
  NodeSelectorRequirement: ['key', 'operator'],
  LabelSelectorRequirement: ['key', 'operator'],
  WeightedPodAffinityTerm: ['weight', 'podAffinityTerm'],
  PodAffinityTerm: ['topologyKey'],
  TopologySpreadConstraint: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  PersistentVolumeClaimVolumeSource: ['claimName'],
  Volume: ['name'],
};

const choices: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  NodeSelectorRequirement: { operator: [...setOperators, 'Gt', 'Lt'] },
  LabelSelectorRequirement: { operator: setOperators },
  Toleration: {
    operator: ['Exists', 'Equal', 'Gt', 'Lt'],
    effect: ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  },
  TopologySpreadConstraint: {
    whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
    nodeAffinityPolicy: ['Honor', 'Ignore'],
    nodeTaintsPolicy: ['Honor', 'Ignore'],
  },
};

/** What an API server would insist on, where it decides how many pods there are and where they go. */
export function unmetIn(value: Value, shape: Shape, path: Path = []): readonly Unmet[] {
  if (isList(value))
    return value.flatMap((item, index) => unmetIn(item, itemShape(shape), [...path, index]));
  if (!isMap(value) || shape.type === 'any') return [];
  const type = shape.type === 'object' ? shape.name : '';
  const missing = (required[type] ?? [])
    .filter((field) => !Object.hasOwn(value, field))
    .map((field): Unmet => ({ path: [...path, field] }));
  const inner = Object.entries(value).flatMap(([key, field]) => {
    const taken = choices[type]?.[key];
    const isTaken = taken === undefined || taken.includes(String(field));
    const own: readonly Unmet[] = isTaken
      ? []
      : [{ path: [...path, key], choices: taken, value: field }];
    return [...own, ...unmetIn(field, fieldShape(shape, key), [...path, key])];
  });
  return [...missing, ...inner];
}
