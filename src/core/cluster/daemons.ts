import type { InstanceType } from '../catalog/instance-type.ts';
import {
  combine,
  firstConflict,
  firstUnmet,
  labelsAsRequirements,
  type Requirements,
} from '../requirements/requirements.ts';
import { isWellKnownLabel, labels } from '../requirements/well-known.ts';
import { firstRepellingTaint, type Pod } from './pod.ts';
import type { Node, Pool } from './snapshot.ts';

/** The daemons that will still come to a node: those that belong there and do not run yet. */
export function daemonsToCome(node: Node, daemons: readonly Pod[]): readonly Pod[] {
  if (daemons.length === 0) return daemons;
  const offered = labelsAsRequirements(node.labels);
  return daemons.filter(
    (daemon) =>
      !node.pods.some((pod) => isOf(pod, daemon)) &&
      firstRepellingTaint(daemon.tolerations, node.taints) === undefined &&
      daemon.nodeAlternatives.some((wanted) => firstUnmet(offered, wanted, no) === undefined),
  );
}

function isOf(pod: Pod, daemon: Pod): boolean {
  return (
    pod.isDaemon && pod.namespace === daemon.namespace && pod.owner?.name === daemon.owner?.name
  );
}

function no(): boolean {
  return false;
}

/** Labels that every node of ours carries once it can run pods, which daemons may select. */
const grown: Requirements = labelsAsRequirements({
  [labels.registered]: 'true',
  [labels.initialized]: 'true',
});

/** A function from instance type to the daemons that a new node of the pool would run. */
export function daemonsOfPool(
  pool: Pool,
  daemons: readonly Pod[],
): (type: InstanceType) => readonly Pod[] {
  const offered = combine(pool.requirements, grown);
  const possible = daemons
    .filter((daemon) => firstRepellingTaint(daemon.tolerations, pool.taints) === undefined)
    .map((daemon) => ({
      daemon,
      alternatives: daemon.nodeAlternatives.filter(
        (wanted) => firstUnmet(offered, wanted, isWellKnownLabel) === undefined,
      ),
    }));
  return (type) =>
    possible
      .filter(({ alternatives }) =>
        alternatives.some((wanted) => firstConflict(type.requirements, wanted) === undefined),
      )
      .map(({ daemon }) => daemon);
}
