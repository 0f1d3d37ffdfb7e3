import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import type { Node } from '../../src/core/cluster/snapshot.ts';
import type { Requirements } from '../../src/core/requirements/requirements.ts';
import type { ValueSet } from '../../src/core/requirements/value-set.ts';
import type { NewNode } from '../../src/core/scheduling/plan.ts';

export type Labels = Readonly<Record<string, string>>;

/** Whether a node with these labels is what the requirements ask for, as Kubernetes sees it. */
export function meets(labels: Labels, wanted: Requirements): boolean {
  for (const [key, set] of wanted) if (!meetsKey(labels[key], set)) return false;
  return true;
}

/** Whether the labels are what one of the alternatives asks for. */
export function meetsOne(labels: Labels, alternatives: readonly Requirements[]): boolean {
  return alternatives.some((wanted) => meets(labels, wanted));
}

function meetsKey(value: string | undefined, set: ValueSet): boolean {
  if (value === undefined) return set.mayBeAbsent;
  if (set.kind === 'only') return set.values.has(value);
  if (set.values.has(value)) return false;
  if (set.min === -Infinity && set.max === Infinity) return true;
  return /^[+-]?\d+$/.test(value) && Number(value) >= set.min && Number(value) <= set.max;
}

/** What pods can ask of a node that is there: its labels, its host name and, once it has one, its name. */
export function nodeLabels({ name, stage, labels }: Node): Labels {
  const isNamed = stage === 'registered' || stage === 'initialized';
  return {
    'kubernetes.io/hostname': name,
    ...labels,
    ...(isNamed ? { 'metadata.name': name } : {}),
  };
}

/** What every node of ours has once it can run pods. */
export const grown: Labels = {
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
};

/**
 * The labels that the order and the type settle between them, whatever is bought. Labels that
 * they leave open are given a value that they allow.
 */
export function machineLabels(node: Pick<NewNode, 'requirements'>, type: InstanceType): Labels {
  const labels: Record<string, string> = {};
  for (const [key, set] of node.requirements) {
    const value = someValue(set);
    if (value !== undefined && !isOfMachine(key)) labels[key] = value;
  }
  for (const [key, set] of type.requirements) {
    const value = key.startsWith(aboutReservation) ? undefined : someValue(set);
    if (value !== undefined) labels[key] = value;
  }
  return labels;
}

/** The labels of the node that the order becomes, once bought through this offering. */
export function launchLabels(
  node: Pick<NewNode, 'pool'>,
  machine: Labels,
  offering: Offering,
): Labels {
  return {
    ...machine,
    'topology.kubernetes.io/zone': offering.zone,
    'karpenter.sh/capacity-type': offering.capacityType,
    ...(offering.zoneId === undefined ? {} : { 'topology.k8s.aws/zone-id': offering.zoneId }),
    ...reservationLabels(offering),
    ...node.pool.labels,
    ...grown,
  };
}

const aboutReservation = 'karpenter.k8s.aws/capacity-reservation-';

function reservationLabels({ reservation }: Offering): Labels {
  if (reservation === undefined) return {};
  return {
    [`${aboutReservation}id`]: reservation.id,
    [`${aboutReservation}type`]: reservation.kind,
    [`${aboutReservation}interruptible`]: String(reservation.isInterruptible ?? false),
  };
}

function isOfMachine(key: string): boolean {
  return key.startsWith('node.kubernetes.io/') || key.startsWith('karpenter.k8s.aws/');
}

function someValue(set: ValueSet): string | undefined {
  if (set.kind === 'only') return [...set.values].sort()[0];
  if (set.mayBeAbsent) return undefined;
  const from = Number.isFinite(set.min) ? set.min : Number.isFinite(set.max) ? set.max - 99 : 0;
  for (let number = from; number <= Math.min(set.max, from + 99); number++)
    if (!set.values.has(String(number))) return String(number);
  return undefined;
}
