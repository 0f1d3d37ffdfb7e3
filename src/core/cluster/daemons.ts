import type { InstanceType } from '../catalog/instance-type.ts';
import {
  combine,
  firstConflict,
  firstUnmet,
  labelsAsRequirements,
  labelsMeet,
  noRequirements,
  type Requirements,
} from '../requirements/requirements.ts';
import { isPartOf } from '../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../requirements/well-known.ts';
import { firstRepellingTaint, type Pod } from './pod.ts';
import type { Node, Pool } from './snapshot.ts';

/**
 * The daemons that will still come to a node with these labels: those that belong there, now or
 * once it has grown up, and do not run yet.
 */
export function daemonsToCome(
  node: Node,
  labels: Readonly<Record<string, string>>,
  daemons: readonly Pod[],
): readonly Pod[] {
  if (daemons.length === 0) return daemons;
  const isYoung = node.claimName !== undefined && node.stage !== 'initialized';
  const later = isYoung ? { ...labels, ...grownLabels } : labels;
  return daemons.filter(
    (daemon) =>
      !node.pods.some((pod) => isOf(pod, daemon)) &&
      firstRepellingTaint(daemon.tolerations, node.taints) === undefined &&
      daemon.nodeAlternatives.some((wanted) => surelyMeets(later, node.openLabels, wanted)),
  );
}

/** Whether the node has the labels, whatever becomes of those that are still open. */
function surelyMeets(
  settled: Readonly<Record<string, string>>,
  open: Requirements | undefined,
  wanted: Requirements,
): boolean {
  if (open === undefined) return labelsMeet(settled, wanted);
  const left = new Map(wanted);
  for (const [key, set] of wanted) {
    const possible = open.get(key);
    if (possible !== undefined && isPartOf(possible, set)) left.delete(key);
  }
  return labelsMeet(settled, left);
}

/** An order with the labels that it will surely have. */
interface Order {
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
}

/** The daemons that may run on an order should it become a machine of the type. */
export function daemonsOfType(
  type: InstanceType,
  { node, labels }: Order,
  daemons: readonly Pod[],
): readonly Pod[] {
  const settled = { ...labels, ...grownLabels };
  const isOpen = (key: string): boolean =>
    !Object.hasOwn(settled, key) && type.requirements.has(key);
  const mayMeet = (wanted: Requirements): boolean => {
    const open = new Map([...wanted].filter(([key]) => isOpen(key)));
    const others = new Map([...wanted].filter(([key]) => !isOpen(key)));
    if (!labelsMeet(settled, others)) return false;
    const possible = [type.requirements, node.openLabels ?? noRequirements];
    return possible.every((some) => firstConflict(some, open) === undefined);
  };
  return daemons.filter(
    ({ tolerations, nodeAlternatives }) =>
      firstRepellingTaint(tolerations, node.taints) === undefined && nodeAlternatives.some(mayMeet),
  );
}

function isOf(pod: Pod, daemon: Pod): boolean {
  return (
    pod.isDaemon && pod.namespace === daemon.namespace && pod.owner?.name === daemon.owner?.name
  );
}

/** What every node of ours carries once it can run pods, which daemons may select. */
const grownLabels = { [labels.registered]: 'true', [labels.initialized]: 'true' };
const grown: Requirements = labelsAsRequirements(grownLabels);

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
