import type { SpreadConstraint } from '../../core/cluster/pod.ts';
import { renewedKey } from '../../core/requirements/requirements.ts';

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

/** Labels that tell the pods of one controller apart. */
const ofOnePod: ReadonlySet<string> = new Set([
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
]);

/**
 * The constraints for a pod of a controller that spreads: its companions are the pods with all
 * of its labels. The kube-scheduler finds them by Services and by the controller's selector; for
 * the pods of one controller that comes to the same.
 */
export function defaultSpreadOf(
  defaults: readonly DefaultSpread[],
  controllerKind: string | undefined,
  labels: Readonly<Record<string, string>>,
): readonly SpreadConstraint[] | undefined {
  if (controllerKind === undefined || !spreading.has(controllerKind)) return undefined;
  const common = Object.entries(labels).filter(([key]) => !ofOnePod.has(key));
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
