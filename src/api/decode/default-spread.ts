import type { SpreadConstraint } from '../../core/cluster/pod.ts';
import { renewedKey } from '../../core/requirements/requirements.ts';
import { compareText } from '../../core/text-order.ts';
import type { ServiceObject } from '../kubernetes/core.ts';

/** A spread constraint that the kube-scheduler of the cluster gives to pods without any. */
export interface DefaultSpread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
}

/** Controllers whose pods are all alike, so that they can be spread among themselves. */
const spreading: ReadonlySet<string> = new Set([
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
]);

/** Labels that tell the pods of one controller apart, by which no controller selects. */
const ofSomePods: ReadonlySet<string> = new Set([
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'controller-revision-hash',
]);

/** What the companions of a pod are found by. */
export interface Companionship {
  readonly labels: Readonly<Record<string, string>>;
  /** The kind of the controller that made the pod. */
  readonly controllerKind: string | undefined;
  /** The Services of its namespace, whether they select it or not. */
  readonly services: readonly ServiceObject[];
}

/**
 * The constraints for a pod that companions can be told of, as the kube-scheduler does: pods that
 * the same Services select and the same controller made. A controller's pods have all labels in
 * common, those by which it and the Services select included; other pods have the Services' alone.
 */
export function defaultSpreadOf(
  defaults: readonly DefaultSpread[],
  companionship: Companionship,
): readonly SpreadConstraint[] | undefined {
  const common = commonLabels(companionship);
  if (defaults.length === 0 || common.length === 0) return undefined;
  const selector = { matchLabels: Object.fromEntries(common) };
  return defaults.map(({ topologyKey, maxSkew, whenUnsatisfiable }) => ({
    topologyKey: renewedKey(topologyKey),
    maxSkew,
    isHard: whenUnsatisfiable === 'DoNotSchedule',
    selector,
    honorsNodeAffinity: true,
    honorsTaints: false,
  }));
}

function commonLabels({ labels, controllerKind, services }: Companionship): [string, string][] {
  if (controllerKind !== undefined && spreading.has(controllerKind))
    return Object.entries(labels).filter(([key]) => !ofSomePods.has(key));
  const common = new Map<string, string>();
  for (const { spec } of services) {
    const wanted = Object.entries(spec?.selector ?? {});
    if (wanted.some(([key, value]) => labels[key] !== value)) continue;
    for (const [key, value] of wanted) common.set(key, value);
  }
  return [...common].sort(([a], [b]) => compareText(a, b));
}
